-- Note what has become of a fan's session, if there is one: that it is at the checkout, or that it has ended early.
--
-- KEYS  sessions (fans by their end), what is known of the fan, counts, sessions that ended early
-- ARGV  fan, state, now, since when sessions that ended early are of interest, began at the latest
--
-- Answers 1 where something changed. Ending frees the place at once; a second time there is nothing to end.
local sessions, fans, counts, ended = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local fan, state, now, since, latest = ARGV[1], ARGV[2], ARGV[3], ARGV[4], tonumber(ARGV[5])

local known = redis.call('HGET', fans, fan)
if not known or not redis.call('ZSCORE', sessions, fan) then return 0 end
local number, began, ends, before, rest = string.match(known, '^(%d+) ([%d.]+) (%d+) (%a+) (.+)$')
if before == state or tonumber(began) > latest then return 0 end
redis.call('HSET', fans, fan, table.concat({number, began, ends, state, rest}, ' '))
if state ~= 'shopping' and state ~= 'checkout' then
  redis.call('ZREM', sessions, fan)
  redis.call('HINCRBY', counts, 'ended', 1)
  redis.call('ZADD', ended, now, number)
  redis.call('ZREMRANGEBYSCORE', ended, '-inf', '(' .. since)
  redis.call('EXPIRE', ended, 604800)
end
return 1
