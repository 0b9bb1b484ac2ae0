-- How many are inside, how many came and how many left since counting began, and whether the door is open.
--
-- KEYS  sessions (fans by their end), counts, open
-- ARGV  now
local expired = redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', ARGV[1])
if expired > 0 then redis.call('HINCRBY', KEYS[2], 'ended', expired) end
local counts = redis.call('HMGET', KEYS[2], 'came', 'ended')
return {
  redis.call('ZCARD', KEYS[1]), tonumber(counts[1] or '0'), tonumber(counts[2] or '0'), redis.call('EXISTS', KEYS[3]),
}
