-- A match is void for good: what was written of it goes the way of settled ones, from now on. Nothing was: nothing is left to do.
-- KEYS: match, head, due, unarchived, what referees are to show, its log where that is shown, its deals.
-- ARGV: id, now, seconds that its deals are remembered from now on.
local id = ARGV[1]
local state, group, opened, archive, shown = unpack(redis.call('HMGET', KEYS[1], 'state', 'group', 'opened', 'archive', 'shown'))
if state ~= 'void' then return 'STATE' end
if (group or '') ~= '' and group ~= id and opened ~= '1' then return 'SEALED' end
redis.call('ZREM', KEYS[3], 'rate:' .. id)
local head = redis.call('GET', KEYS[2])
if not head or string.sub(head, 1, 4) == '0-0-' then return 'NONE' end
redis.call('EXPIRE', KEYS[7], ARGV[3])
if archive and shown == '1' and redis.call('EXISTS', KEYS[6]) == 0 then return 'GONE' end -- it was dropped when it counted
redis.call('ZADD', KEYS[4], 'NX', ARGV[2], id)
redis.call('SADD', KEYS[5], 'm:' .. id)
return 'OK'
