-- Shows what was secret while it was played. KEYS: what waits for that.
-- ARGV: prefixes of matches, logs, seeds, shown logs, shown seeds, tournaments, their open matches (before and behind the
-- name), deal seeds, shown deal seeds, then `m:<match>` or `t:<tournament>`, …
-- Returns how many were shown. What will never be shown waits no longer.
-- with show
local shown = 0
local function found(...) -- nothing of what cannot be read
  local read, values = pcall(redis.call, ...)
  return read and values or {}
end
local function a_match(id)
  local state, result, group, opened = unpack(found('HMGET', ARGV[1] .. id, 'state', 'result', 'group', 'opened'), 1, 4)
  local applied = state == 'rated' or state == 'archived' or state == 'trimmed'
  local over = applied or state == 'void'
  if not over and ((result or '') == '' or state == 'running' or state == 'ready' or state == 'planned') then return end
  if not applied and (group or '') ~= '' and group ~= id and opened ~= '1' then return end
  show(ARGV[2] .. id, ARGV[4] .. id)
  show(ARGV[3] .. id, ARGV[5] .. id)
  redis.call('HSET', ARGV[1] .. id, 'shown', 1)
  shown = shown + 1
end
local function waits(name) -- for the matches of a tournament that is over to be over, too, and for parked ones to be played or void
  local state, withheld, parked = unpack(found('HMGET', ARGV[6] .. name, 'state', 'withheld', 'parked'), 1, 3)
  if state ~= 'finished' and state ~= 'cancelled' then return false end
  if state == 'finished' and withheld == '1' and (tonumber(parked) or 0) > 0 then return true end -- one may be put back
  local read, open = pcall(redis.call, 'SCARD', ARGV[7] .. name .. ARGV[8])
  if not read or open > 0 then return true end -- nobody knows what is played where that cannot be read
  show(ARGV[9] .. name, ARGV[10] .. name)
  shown = shown + 1
  return false
end
for i = 11, #ARGV do
  local kind, name = string.match(ARGV[i], '^(%a):(.*)$')
  local later = false
  if kind == 'm' then a_match(name) elseif kind == 't' then later = waits(name) end
  redis.call(later and 'SADD' or 'SREM', KEYS[1], ARGV[i])
end
return shown
