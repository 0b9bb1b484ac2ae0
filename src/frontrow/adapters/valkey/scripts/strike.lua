-- strike: note what somebody did wrong, and lock them out once it was too much, as core/door_book.py does. Whoever is
-- locked out stays it as long as they were, whatever they do meanwhile.
--
-- KEYS: their lockout, their strikes. ARGV: strikes that lock out, milliseconds after which strikes are forgotten,
-- milliseconds of a lockout, and why.
-- Answers: milliseconds for which they are locked out (0: they are not), and why.

local left = redis.call('PTTL', KEYS[1])
if left > 0 then
    return {left, redis.call('GET', KEYS[1])}
end

local strikes = redis.call('INCR', KEYS[2])
if strikes < tonumber(ARGV[1]) then
    if strikes == 1 then
        redis.call('PEXPIRE', KEYS[2], ARGV[2])
    end
    return {0, ''}
end
redis.call('DEL', KEYS[2])
redis.call('SET', KEYS[1], ARGV[4], 'PX', ARGV[3])
return {tonumber(ARGV[3]), ARGV[4]}
