-- Be the usher, or stay it, unless somebody else is.
--
-- KEYS  usher
-- ARGV  who, for how many milliseconds
local who = redis.call('GET', KEYS[1])
if who and who ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1
