-- strike: note what somebody did wrong, and lock them out once it was too much, as core/door_book.py does.
--
-- KEYS: their lock, their strikes. ARGV: strikes that lock, milliseconds after which strikes are forgotten,
-- milliseconds of a lock, and why.
-- Answers: 1 where they are locked out by it.

local strikes = redis.call('INCR', KEYS[2])
if strikes < tonumber(ARGV[1]) then
    if strikes == 1 then
        redis.call('PEXPIRE', KEYS[2], ARGV[2])
    end
    return 0
end
redis.call('DEL', KEYS[2])
redis.call('SET', KEYS[1], ARGV[4], 'PX', ARGV[3])
return 1
