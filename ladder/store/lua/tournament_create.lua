-- Writes a tournament. KEYS: tournament, tournaments, deal seed, open ones, commitments. ARGV: name, spec, commitment, seed, seed given 1|0, state, start, now,
-- its author or '', most open ones of that author, prefix of tournaments. Returns OK | SAME | TAKEN | FULL | KNOWN: the given seed is that of another.
local spec, commitment = unpack(redis.call('HMGET', KEYS[1], 'spec', 'commitment'))
if spec then
  local same = spec == ARGV[2] and (ARGV[5] == '0' or commitment == ARGV[3])
  return same and 'SAME' or 'TAKEN'
end
if ARGV[5] == '1' then
  for _, other in ipairs(redis.call('HVALS', KEYS[5])) do
    if other == ARGV[3] then return 'KNOWN' end
  end
end
if ARGV[9] ~= '' then
  local open = 0
  for _, name in ipairs(redis.call('ZRANGE', KEYS[4], 0, -1)) do
    local read, author = pcall(redis.call, 'HGET', ARGV[11] .. name, 'author')
    if read and author == ARGV[9] then open = open + 1 end
  end
  if open >= tonumber(ARGV[10]) then return 'FULL' end
  redis.call('HSET', KEYS[1], 'author', ARGV[9])
end
redis.call('HSET', KEYS[1], 'name', ARGV[1], 'spec', ARGV[2], 'commitment', ARGV[3], 'state', ARGV[6], 'start_ms', ARGV[7], 'created_ms', ARGV[8])
redis.call('SET', KEYS[3], ARGV[4])
redis.call('HSET', KEYS[5], ARGV[1], ARGV[3])
redis.call('ZADD', KEYS[2], ARGV[8], ARGV[1])
redis.call('ZADD', KEYS[4], ARGV[8], ARGV[1])
return 'OK'
