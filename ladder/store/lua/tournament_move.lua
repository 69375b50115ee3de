-- Moves a tournament to another state. KEYS: tournament, open ones, its open matches, due, its lost matches that wait, its matches to be played again,
-- what referees are to show.
-- ARGV: call, target, now, prefix of matches, number of sources, sources, then fields and values.
-- Returns OK, or STATE and the state in which it stays; one that has matches to play does not finish.
local state, moved = unpack(redis.call('HMGET', KEYS[1], 'state', 'moved'))
local function match_of(id) -- state and end; nothing of a match that cannot be read
  local read, found = pcall(redis.call, 'HMGET', ARGV[4] .. id, 'state', 'ended_ms')
  if read then return found[1], tonumber(found[2]) or 0 end
end
local function following(id) -- what is played in the place of a void match
  local first, attempt = string.match(id, '^(.*)%.r(%d+)$')
  return first and first .. '.r' .. (tonumber(attempt) + 1) or id .. '.r2'
end
if not state then return {'UNKNOWN'} end
if moved == ARGV[1] then return {'OK'} end
local sources = tonumber(ARGV[5])
local allowed = false
for i = 6, 5 + sources do allowed = allowed or ARGV[i] == state end
if not allowed then return {'STATE', state} end
if ARGV[2] == 'finished' then -- a match may have been put back, or be played again, since somebody looked
  for _, id in ipairs(redis.call('SMEMBERS', KEYS[3])) do
    local match = match_of(id)
    if match == 'planned' or match == 'ready' or match == 'running' then return {'STATE', state} end
  end
  for _, id in ipairs(redis.call('SMEMBERS', KEYS[6])) do
    if redis.call('EXISTS', ARGV[4] .. following(id)) == 0 then return {'STATE', state} end
  end
  -- the seed of its deals stays secret for as long as one of them may be put back
  local parked = tonumber(redis.call('HGET', KEYS[1], 'parked')) or 0
  redis.call('HSET', KEYS[1], 'withheld', parked > 0 and 1 or 0)
end
redis.call('HSET', KEYS[1], 'state', ARGV[2], 'moved', ARGV[1])
if ARGV[2] == 'running' then redis.call('HSETNX', KEYS[1], 'started_ms', ARGV[3]) end
local name, created = unpack(redis.call('HMGET', KEYS[1], 'name', 'created_ms'))
if ARGV[2] == 'finished' or ARGV[2] == 'cancelled' then
  redis.call('HSET', KEYS[1], 'ended_ms', ARGV[3])
  redis.call('ZREM', KEYS[2], name)
  redis.call('SADD', KEYS[7], 't:' .. name)
  -- tables that will never be played seal nothing any more
  for _, id in ipairs(redis.call('SUNION', KEYS[3], KEYS[5])) do
    local match, ended = match_of(id)
    if match == 'closed' or match == 'void' or match == 'parked' then
      redis.call('ZADD', KEYS[4], 'NX', ended, 'rate:' .. id)
    end
  end
else
  redis.call('ZADD', KEYS[2], created, name)
end
if #ARGV > 5 + sources then redis.call('HSET', KEYS[1], unpack(ARGV, 6 + sources)) end
return {'OK'}
