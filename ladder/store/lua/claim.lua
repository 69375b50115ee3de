-- Claims a match. KEYS: match, head, log, seed, ready, states, my beat, matches that I own, due, open, tournament, its open, its matches to be played again,
-- deals, owners that are linked, counters.
-- ARGV: id, old head, new head, entry id, me, now, seed, commitment, bytes, prefix of beats, prefix of owned, strikes to park, prefix of bots,
-- seconds that deals are remembered, counter of alarms.
-- with fence
-- with move
-- with deal
local id, old, new, me = ARGV[1], ARGV[2], ARGV[3], ARGV[5]
local match = KEYS[1]
local function granted(word)
  return {word, redis.call('GET', KEYS[4]), redis.call('HGETALL', match)}
end
local state = redis.call('HGET', match, 'state')
if state ~= 'ready' and state ~= 'running' then
  redis.call('ZREM', KEYS[5], id)
  return {'GONE'}
end
local head = redis.call('GET', KEYS[2])
local owner = redis.call('HGET', match, 'owner')
if head == new and owner == me then return granted('DUP') end
if head ~= old then return {'HEAD'} end
if redis.call('EXISTS', KEYS[7]) == 0 then return {'SELF'} end
if owner ~= '' and redis.call('EXISTS', ARGV[10] .. owner) == 1 then return {'ALIVE'} end

append(KEYS[2], KEYS[3], old, new, ARGV[4], ARGV[9])
if acts(old) > 0 then
  redis.call('HSET', match, 'strikes', 0, 'releases', 0)
elseif owner ~= '' then
  redis.call('HINCRBY', match, 'strikes', 1)
end
if owner ~= '' then redis.call('SREM', ARGV[11] .. owner, id) end
if tonumber(redis.call('HGET', match, 'strikes') or '0') >= tonumber(ARGV[12]) then
  local k = {ready = KEYS[5], states = KEYS[6], due = KEYS[9], open = KEYS[10], tournament = KEYS[11], tournament_open = KEYS[12]}
  if obeyed(id, match, k, ARGV[6]) then return {'GONE'} end
  lose(id, match, k, 'parked', 'strikes', ARGV[6])
  return {'PARKED'}
end
if redis.call('EXISTS', KEYS[4]) == 0 then
  local why = seated(id, match, KEYS[14], ARGV[13], KEYS[15], ARGV[14])
  if why then
    local k = {ready = KEYS[5], states = KEYS[6], due = KEYS[9], open = KEYS[10], tournament = KEYS[11], tournament_open = KEYS[12]}
    if obeyed(id, match, k, ARGV[6]) then return {'GONE'} end
    lose(id, match, k, 'void', 'deal: ' .. why, ARGV[6])
    local tournament, deals = unpack(redis.call('HMGET', match, 'tournament', 'deals'))
    if tournament ~= '' and deals ~= 'mirrored' then redis.call('SADD', KEYS[13], id) end -- of mirrored ones the next would be refused, too
    redis.call('HINCRBY', KEYS[16], ARGV[15], 1)
    return {'DEAL'}
  end
end
if redis.call('SET', KEYS[4], ARGV[7], 'NX') then redis.call('HSET', match, 'commitment', ARGV[8]) end
move(match, KEYS[6], 'running')
redis.call('HSET', match, 'owner', me, 'claimed_ms', ARGV[6])
redis.call('HSETNX', match, 'begun_ms', ARGV[6])
redis.call('SADD', KEYS[8], id)
redis.call('ZREM', KEYS[5], id)
return granted('OK')
