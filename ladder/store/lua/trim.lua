-- Drops the log of a match that is in the archive. KEYS: match, head, states, log, seed, unarchived, matches that wait for their luck. ARGV: id.
-- A void one stays void.
-- with move
local state, archived = unpack(redis.call('HMGET', KEYS[1], 'state', 'archived_head'))
if state == 'trimmed' then
  redis.call('ZREM', KEYS[6], ARGV[1])
  return 'DUP'
end
local void = state == 'void' and archived
if state ~= 'archived' and not void then return 'STATE' end
if void and not redis.call('ZSCORE', KEYS[6], ARGV[1]) then return 'DUP' end
if redis.call('GET', KEYS[2]) ~= archived then return 'HEAD' end
if redis.call('ZSCORE', KEYS[7], ARGV[1]) then return 'WAIT' end -- whoever computes it reads the log once more
redis.call('UNLINK', KEYS[4], KEYS[5])
redis.call('ZREM', KEYS[6], ARGV[1])
if not void then move(KEYS[1], KEYS[3], 'trimmed') end
return 'OK'
