-- Asks for house games on the cards of matches. KEYS: matches that wait for them, then by match: it, what the house scored. ARGV: ids.
-- Not of those that do not count, that cannot be read, or whose are known, or never will be. Returns how many were new.
local new = 0
for i, id in ipairs(ARGV) do
  local row = redis.pcall('HMGET', KEYS[2 * i], 'state', 'ended_ms') -- one of another kind is an error without fields
  local state, ended = row[1], tonumber(row[2]) or 0
  local counts = state == 'rated' or state == 'archived' or state == 'trimmed'
  if counts and redis.call('EXISTS', KEYS[2 * i + 1]) == 0 then
    new = new + redis.call('ZADD', KEYS[1], 'NX', ended, id)
  end
end
return new
