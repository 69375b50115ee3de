-- A referee is alive. KEYS: its beat, matches that it owns, referees.
-- ARGV: me, payload, time to live (ms), fresh 1|0, prefix of matches, prefix of tournaments, then match and games done, …
-- Returns match, order, … of its matches that an operator wants stopped.
-- with move
if ARGV[4] ~= '1' and redis.call('EXISTS', KEYS[1]) == 0 then return redis.error_reply('LAPSED ' .. ARGV[1]) end
redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
redis.call('SADD', KEYS[3], ARGV[1])
for i = 7, #ARGV, 2 do
  local match = ARGV[5] .. ARGV[i]
  if redis.call('HGET', match, 'owner') == ARGV[1] then
    games(match, ARGV[6] .. redis.call('HGET', match, 'tournament'), tonumber(ARGV[i + 1]))
  end
end
local stopped = {}
for _, id in ipairs(redis.call('SMEMBERS', KEYS[2])) do
  local order = redis.call('HGET', ARGV[5] .. id, 'stop')
  if order and order ~= '' then
    stopped[#stopped + 1] = id
    stopped[#stopped + 1] = order
  end
end
return stopped
