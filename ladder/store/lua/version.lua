-- The number of an author's version; a new one becomes the next. KEYS: bot. ARGV: version, now, most a day (0: any).
-- Returns OK, n | UNKNOWN | RETIRED | LIMIT.
if redis.call('EXISTS', KEYS[1]) == 0 then return {'UNKNOWN'} end
if tonumber(redis.call('HGET', KEYS[1], 'retired_ms') or '0') > 0 then return {'RETIRED'} end
local known = redis.call('HGET', KEYS[1], 'a:' .. ARGV[1])
if known then return {'OK', known} end
local n = tonumber(redis.call('HGET', KEYS[1], 'n'))
local most = tonumber(ARGV[3])
if most > 0 and n >= most then
  local created = string.match(redis.call('HGET', KEYS[1], 'v:' .. (n - most + 1)), '^%d+')
  if tonumber(ARGV[2]) - tonumber(created) < 86400000 then return {'LIMIT'} end
end
n = redis.call('HINCRBY', KEYS[1], 'n', 1)
redis.call('HSET', KEYS[1], 'v:' .. n, ARGV[2] .. ' ' .. ARGV[1], 'a:' .. ARGV[1], n)
return {'OK', tostring(n)}
