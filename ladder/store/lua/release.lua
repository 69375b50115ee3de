-- Gives a match back; one that was ordered to be void is void then. KEYS: head, log, match, matches that I own, ready, states,
-- due, open, tournament, its open. ARGV: old head, new head, entry id, bytes, id, not before, absent 1|0, now.
-- with fence
-- with move
local said = append(KEYS[1], KEYS[2], ARGV[1], ARGV[2], ARGV[3], ARGV[4])
if said ~= 'OK' then return said end
if acts(ARGV[1]) > 0 then redis.call('HSET', KEYS[3], 'strikes', 0, 'releases', 0) end
if ARGV[7] == '1' then redis.call('HINCRBY', KEYS[3], 'releases', 1) end
redis.call('HSET', KEYS[3], 'owner', '')
redis.call('SREM', KEYS[4], ARGV[5])
local k = {ready = KEYS[5], states = KEYS[6], due = KEYS[7], open = KEYS[8], tournament = KEYS[9], tournament_open = KEYS[10]}
if obeyed(ARGV[5], KEYS[3], k, ARGV[8]) then return 'OK' end
move(KEYS[3], KEYS[6], 'ready')
redis.call('ZADD', KEYS[5], ARGV[6], ARGV[5])
return 'OK'
