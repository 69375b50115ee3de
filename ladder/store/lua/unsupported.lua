-- Says of a match whether a living referee supports it; ends it where for long none did.
-- KEYS: match, head, log, states, ready, due, open, tournament, its open, its matches to be played again, counters.
-- ARGV: id, supported 1|0, now, patience (ms), old head, new head, entry id, reason, prefix of beats, prefix of owned, counter of alarms.
-- Returns HOSTED (it is over, supported, or somebody plays it), NOTED, WAITS, VOID; an error HEAD: it has just gone on.
-- with fence
-- with move
local id, match, now = ARGV[1], KEYS[1], ARGV[3]
local state = redis.call('HGET', match, 'state')
local owner = redis.call('HGET', match, 'owner') or ''
local open = state == 'planned' or state == 'ready' or state == 'running'
if not open or ARGV[2] == '1' or (owner ~= '' and redis.call('EXISTS', ARGV[9] .. owner) == 1) then
  if open then redis.call('HDEL', match, 'unsupported_ms') end
  return 'HOSTED'
end
if redis.call('HSETNX', match, 'unsupported_ms', now) == 1 then return 'NOTED' end
if tonumber(now) - tonumber(redis.call('HGET', match, 'unsupported_ms')) < tonumber(ARGV[4]) then return 'WAITS' end
local said = append(KEYS[2], KEYS[3], ARGV[5], ARGV[6], ARGV[7], '') -- as a claim does: who hosted it writes nothing more
if said ~= 'OK' then return said end
if owner ~= '' then redis.call('SREM', ARGV[10] .. owner, id) end
local k = {ready = KEYS[5], states = KEYS[4], due = KEYS[6], open = KEYS[7], tournament = KEYS[8], tournament_open = KEYS[9]}
redis.pcall('HINCRBY', KEYS[11], ARGV[11], 1)
if obeyed(id, match, k, now) then return 'VOID' end
lose(id, match, k, 'void', ARGV[8], now)
if redis.call('HGET', match, 'tournament') ~= '' then redis.call('SADD', KEYS[10], id) end
return 'VOID'
