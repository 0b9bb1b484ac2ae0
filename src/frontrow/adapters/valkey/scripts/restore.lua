-- Put back sessions that were lost, as those remember them who let the fans in. What is there stays as it is.
--
-- KEYS  sessions (fans by their end), then what is known of each fan
-- ARGV  of each fan: the fan, the end, what was known
local put = 0
for at = 2, #KEYS do
  local fan, ends, known = ARGV[3 * at - 5], ARGV[3 * at - 4], ARGV[3 * at - 3]
  if redis.call('HSETNX', KEYS[at], fan, known) == 1 then
    redis.call('EXPIRE', KEYS[at], 604800)
    redis.call('ZADD', KEYS[1], ends, fan)
    put = put + 1
  end
end
return put
