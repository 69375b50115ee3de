-- Ends tokens: all of a bot, and those of operators that are named. KEYS: bot, operators. ARGV: prefix of tokens, then key ids of operators.
-- Returns OK, or SAME where none of them was good, and the key ids of those that were.
local ended = {}
local function finish(keyid)
  local token = ARGV[1] .. keyid
  if redis.call('HGET', token, 'revoked') == '0' then
    redis.call('HSET', token, 'revoked', 1)
    ended[#ended + 1] = keyid
  end
end
local tokens = redis.call('HGET', KEYS[1], 'tokens')
if tokens then
  for keyid in string.gmatch(tokens, '%S+') do finish(keyid) end
  redis.call('HSET', KEYS[1], 'tokens', '')
end
for i = 2, #ARGV do
  finish(ARGV[i])
  redis.call('SREM', KEYS[2], ARGV[i])
end
return {#ended > 0 and 'OK' or 'SAME', unpack(ended)}
