-- Let a fan in, if there is room: the one place where sessions begin, so their number is never more than the cap.
--
-- KEYS  sessions (fans by their end), what is known of the fan, counts, open
-- ARGV  fan, now, end, number of the session, cap, when the ticket joined, sessions a day at most, today
--
-- A fan who has a session gets it again, on whatever device, however often at once. A ticket that a session has come of
-- is spent. Without `open` nobody new comes in: sessions that were lost with everything else are being put back.
local sessions, fans, counts, open = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local fan, now, ends, number, cap, joined = ARGV[1], ARGV[2], ARGV[3], ARGV[4], tonumber(ARGV[5]), tonumber(ARGV[6])
local often, today = tonumber(ARGV[7]), ARGV[8]

local expired = redis.call('ZREMRANGEBYSCORE', sessions, '-inf', now)
if expired > 0 then redis.call('HINCRBY', counts, 'ended', expired) end

local visits = 0
local known = redis.call('HGET', fans, fan)
if known then
  local last, began, until_, state, count, day = string.match(known, '^(%d+) ([%d.]+) (%d+) (%a+) (%d+) (%d+)$')
  if redis.call('ZSCORE', sessions, fan) then return {'there', last, until_, state} end
  if joined <= tonumber(began) then return {'spent'} end
  if day == today then visits = tonumber(count) end
  if visits >= often then return {'often'} end
end
if redis.call('EXISTS', open) == 0 then return {'shut'} end
if redis.call('ZCARD', sessions) >= cap then return {'full'} end

redis.call('ZADD', sessions, ends, fan)
redis.call('HSET', fans, fan, table.concat({number, now, ends, 'shopping', visits + 1, today}, ' '))
redis.call('EXPIRE', fans, 604800)
redis.call('HINCRBY', counts, 'came', 1)
return {'there', number, ends, 'shopping'}
