-- New weights of a ladder, for the matches that are rated from now on. KEYS: its weights, games, cfg.
-- ARGV: how many changes the caller knows, generation, text. Returns OK | OLD; OLD also where something else stands in their place.
local kind = redis.call('TYPE', KEYS[1]).ok
if kind ~= 'list' and kind ~= 'none' then return 'OLD' end
if redis.call('LLEN', KEYS[1]) ~= tonumber(ARGV[1]) then return 'OLD' end
if (redis.call('HGET', KEYS[3], 'generation') or '0') ~= ARGV[2] then return 'OLD' end
local seq = tonumber(redis.call('HGET', KEYS[2], '#seq') or '0')
redis.call('RPUSH', KEYS[1], string.format('%.0f', seq + 1) .. ' ' .. ARGV[3])
return 'OK'
