-- Gives bots of one owner a place on the ladders each, while there are any: who has one keeps it until it is retired, and leads by how long it has it.
-- KEYS: sets of the bots of the owner, and of all owners that are one with it. ARGV: prefix of bots' keys, places, now (ms) or 0: give none, then the bots that want one, in order.
-- Returns those of them that have one, or would have. What is damaged holds no place.
local bots, most, now, holders, held, taken = ARGV[1], tonumber(ARGV[2]), ARGV[3], {}, {}, 0
for _, owned in ipairs(KEYS) do
  local names = redis.pcall('SMEMBERS', owned)
  for _, name in ipairs(names.err and {} or names) do
    local since, retired, house = unpack(redis.pcall('HMGET', bots .. name, 'rated_ms', 'retired_ms', 'house'))
    if tonumber(since) and (retired or '0') == '0' and house ~= '1' then holders[#holders + 1] = {tonumber(since), name} end
  end
end
table.sort(holders, function(one, other) return one[1] < other[1] or (one[1] == other[1] and one[2] < other[2]) end)
for number, holder in ipairs(holders) do held[holder[2]] = number end
taken = #holders
local placed = {}
for i = 4, #ARGV do
  local name = ARGV[i]
  if not held[name] and taken < most then
    taken = taken + 1
    held[name] = taken
    if now ~= '0' then redis.call('HSET', bots .. name, 'rated_ms', now) end
  end
  if held[name] and held[name] <= most then placed[#placed + 1] = name end
end
return placed
