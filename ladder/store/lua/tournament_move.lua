-- Moves a tournament to another state. KEYS: tournament, open ones. ARGV: call, target, now, number of sources, sources, then fields and values.
-- Returns OK, or STATE and the state in which it stays.
local state, moved = unpack(redis.call('HMGET', KEYS[1], 'state', 'moved'))
if not state then return {'UNKNOWN'} end
if moved == ARGV[1] then return {'OK'} end
local sources = tonumber(ARGV[4])
local allowed = false
for i = 5, 4 + sources do allowed = allowed or ARGV[i] == state end
if not allowed then return {'STATE', state} end
redis.call('HSET', KEYS[1], 'state', ARGV[2], 'moved', ARGV[1])
if ARGV[2] == 'running' then redis.call('HSETNX', KEYS[1], 'started_ms', ARGV[3]) end
local name, created = unpack(redis.call('HMGET', KEYS[1], 'name', 'created_ms'))
if ARGV[2] == 'finished' or ARGV[2] == 'cancelled' then
  redis.call('HSET', KEYS[1], 'ended_ms', ARGV[3])
  redis.call('ZREM', KEYS[2], name)
else
  redis.call('ZADD', KEYS[2], created, name)
end
if #ARGV > 4 + sources then redis.call('HSET', KEYS[1], unpack(ARGV, 5 + sources)) end
return {'OK'}
