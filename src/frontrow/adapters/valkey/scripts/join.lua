-- What a fan who brings no ticket has already: a session, or a place from before. Else the place is noted.
--
-- KEYS  sessions (fans by their end), what is known of the fan, late joins
-- ARGV  fan, now, first byte of the fan's place in the table, the entry, when its seconds count from
--
-- The table of late joins has a fixed size: an entry of 24 bytes (8 of the fan, seconds, frontier) gives way to the next
-- one that falls on its place. Whoever lost it that way joins anew, later: never earlier.
local sessions, fans, late = KEYS[1], KEYS[2], KEYS[3]
local fan, now, at, entry, base = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), ARGV[4], tonumber(ARGV[5])

local spent = -1
local known = redis.call('HGET', fans, fan)
if known then
  local number, began, ends, state = string.match(known, '^(%d+) ([%d.]+) (%d+) (%a+) ')
  local score = redis.call('ZSCORE', sessions, fan)
  if score and tonumber(score) > now then return {'there', number, ends, state} end
  spent = tonumber(began)
end
local there = redis.call('GETRANGE', late, at, at + 23)
if string.sub(there, 1, 8) == string.sub(entry, 1, 8) then
  local seconds = struct.unpack('>d', string.sub(there, 9, 16))
  if base + seconds > spent then return {'joined', there} end
end
redis.call('SETRANGE', late, at, entry)
redis.call('EXPIRE', late, 604800)
return {'joined', entry}
