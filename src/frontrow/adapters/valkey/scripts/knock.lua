-- knock: look up and count one knock at a door as a whole, as core/door_book.py does.
--
-- KEYS: the lock and the strikes of who knocks, the proof that they spend, then a key for each limit.
-- ARGV: for how many milliseconds the proof stays spent (0: none is brought); then of each limit, in microseconds, how
-- long one time takes and how far ahead one may be, and 1 where it is soft.
-- Answers: the time, how long to wait, strikes, milliseconds that the lock is left for, its reason, 1 where the proof
-- was spent before, then which limits (from 1) it is beyond of.
--
-- The clock is that of this server: processes on several machines count by one. Numbers are whole and below 2^53, and
-- are written out in full: Lua's own way would round them.

local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local strikes = tonumber(redis.call('GET', KEYS[2]) or 0)

local left = redis.call('PTTL', KEYS[1])
if left > 0 then
    return {now, 0, strikes, left, redis.call('GET', KEYS[1]), 0}
end

local rested, wait = {}, 0
for limit = 1, #KEYS - 3 do
    local ahead_max = tonumber(ARGV[3 * limit])
    rested[limit] = math.max(tonumber(redis.call('GET', KEYS[limit + 3]) or 0), now)
    local beyond = rested[limit] - now - ahead_max
    if beyond > 0 and ARGV[3 * limit + 1] ~= '1' then
        wait = math.max(wait, beyond)
    end
end
if wait > 0 then
    return {now, wait, strikes, 0, '', 0}
end

if ARGV[1] ~= '0' and not redis.call('SET', KEYS[3], '', 'PX', ARGV[1], 'NX') then
    return {now, 0, strikes, 0, '', 1}
end

local answer = {now, 0, strikes, 0, '', 0}
for limit = 1, #KEYS - 3 do
    local again, ahead_max = tonumber(ARGV[3 * limit - 1]), tonumber(ARGV[3 * limit])
    if rested[limit] - now > ahead_max then
        answer[#answer + 1] = limit
    else
        local until_us = rested[limit] + again
        redis.call('SET', KEYS[limit + 3], string.format('%.0f', until_us), 'PX', math.ceil((until_us - now) / 1000))
    end
end
return answer
