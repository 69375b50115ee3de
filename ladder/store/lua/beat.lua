-- A referee is alive. KEYS: its beat, matches that it owns, referees.
-- ARGV: me, payload, time to live (ms), fresh 1|0, prefix of matches, prefix of tournaments, prefix of who watches, then
-- match and games done, …
-- Returns match, order, … of its matches that an operator wants stopped, and beside that list those of its matches, or
-- keys of its own, that are damaged: they keep no other match from its orders, and the referee never its beat. Third match, place,
-- … of its matches that somebody watches.
-- with move
if ARGV[4] ~= '1' and redis.call('EXISTS', KEYS[1]) == 0 then return redis.error_reply('LAPSED ' .. ARGV[1]) end
redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
local stopped, damaged, owned, watched = {}, {}, {}, {}
local function try(name, act)
  if not pcall(act) then damaged[#damaged + 1] = name end
end
try(KEYS[3], function() redis.call('SADD', KEYS[3], ARGV[1]) end)
for i = 8, #ARGV, 2 do
  try(ARGV[i], function()
    local match = ARGV[5] .. ARGV[i]
    if redis.call('HGET', match, 'owner') == ARGV[1] then
      if games(match, ARGV[6] .. redis.call('HGET', match, 'tournament'), tonumber(ARGV[i + 1])) == false then
        error('its tournament cannot be written')
      end
    end
  end)
end
try(KEYS[2], function() owned = redis.call('SMEMBERS', KEYS[2]) end)
for _, id in ipairs(owned) do
  local read, place = pcall(redis.call, 'GET', ARGV[7] .. id)
  if read and place then
    watched[#watched + 1] = id
    watched[#watched + 1] = place
  end
  try(id, function()
    local order = redis.call('HGET', ARGV[5] .. id, 'stop')
    if order and order ~= '' then
      stopped[#stopped + 1] = id
      stopped[#stopped + 1] = order
    end
  end)
end
return {stopped, damaged, watched}
