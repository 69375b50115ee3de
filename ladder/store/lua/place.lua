-- Gives bots of one owner a place on the ladders each, while there are any. Those that are vouched for go before those whose owner is a mere claim; of
-- each, who has a place keeps it until it is retired, and leads by how long it has it.
-- KEYS: sets of the bots of the owner, and of all owners that are one with it. ARGV: prefix of bots' keys, places, now (ms) or 0: give none, then the bots that want one, in order.
-- Returns those of them that have one, or would have. What is damaged holds no place.
local bots, most, now, all, known = ARGV[1], tonumber(ARGV[2]), ARGV[3], {}, {}
local function found(name, order)
  local since, retired, house, vouched = unpack(redis.pcall('HMGET', bots .. name, 'rated_ms', 'retired_ms', 'house', 'vouched'))
  local holds = tonumber(since) and (retired or '0') == '0' and house ~= '1'
  if not known[name] and (holds or order > 0) then
    known[name] = true
    all[#all + 1] = {vouched == '1' and 0 or 1, holds and tonumber(since) or math.huge, holds and 0 or order, name}
  end
end
for _, owned in ipairs(KEYS) do
  local names = redis.pcall('SMEMBERS', owned)
  for _, name in ipairs(names.err and {} or names) do found(name, 0) end
end
for i = 4, #ARGV do found(ARGV[i], i) end
table.sort(all, function(one, other)
  for part = 1, 4 do
    if one[part] ~= other[part] then return one[part] < other[part] end
  end
  return false
end)
local rank, placed = {}, {}
for number, one in ipairs(all) do
  rank[one[4]] = number
  if number <= most and one[3] > 0 and now ~= '0' then redis.call('HSET', bots .. one[4], 'rated_ms', now) end
end
for i = 4, #ARGV do
  if rank[ARGV[i]] <= most then placed[#placed + 1] = ARGV[i] end
end
return placed
