-- Owners that are one person, or a few who tell each other what they see. KEYS: owners that are linked (owner to the one that stands for all).
-- ARGV: the owner to stand for all, then others. Returns OK, or SAME where they are one already.
local function head(owner) return redis.call('HGET', KEYS[1], owner) or owner end
local first, changed = head(ARGV[1]), false
for i = 2, #ARGV do
  local other = head(ARGV[i])
  if other ~= first then
    changed = true
    local all = redis.call('HGETALL', KEYS[1])
    for n = 1, #all, 2 do
      if all[n + 1] == other then redis.call('HSET', KEYS[1], all[n], first) end
    end
    redis.call('HSET', KEYS[1], other, first, first, first)
  end
end
return changed and 'OK' or 'SAME'
