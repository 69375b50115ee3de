-- Shows what was secret, whatever stands there: those who may not read the one key may read the other.
local function show(secret, shown)
  if redis.call('EXISTS', secret) == 1 then redis.call('RENAME', secret, shown) end
end
