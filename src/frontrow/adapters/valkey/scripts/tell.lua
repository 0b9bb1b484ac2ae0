-- Tell what lines go by, as long as whoever tells it is the usher: one that was frozen and woke up is not any more.
--
-- KEYS  usher, told, then of each line: open
-- ARGV  who, then of each line: its event, what is told, a name for the opening of its door where that is to be open
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
for at = 3, #KEYS do
  local event, told, opening = ARGV[3 * at - 7], ARGV[3 * at - 6], ARGV[3 * at - 5]
  redis.call('HSET', KEYS[2], event, told)
  if opening ~= '' then redis.call('SET', KEYS[at], opening, 'EX', 604800, 'NX') end
end
return 1
