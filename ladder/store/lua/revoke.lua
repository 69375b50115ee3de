-- Ends tokens. KEYS: bot, operators. ARGV: prefix of tokens, then key ids.
local gone = {}
for i = 2, #ARGV do
  gone[ARGV[i]] = true
  if redis.call('EXISTS', ARGV[1] .. ARGV[i]) == 1 then redis.call('HSET', ARGV[1] .. ARGV[i], 'revoked', 1) end
  redis.call('SREM', KEYS[2], ARGV[i])
end
if redis.call('EXISTS', KEYS[1]) == 1 then
  local live = {}
  for keyid in string.gmatch(redis.call('HGET', KEYS[1], 'tokens'), '%S+') do
    if not gone[keyid] then live[#live + 1] = keyid end
  end
  redis.call('HSET', KEYS[1], 'tokens', table.concat(live, ' '))
end
return 'OK'
