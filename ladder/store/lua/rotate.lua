-- Adds a token to a bot; only the newest before it stays valid. Returns OK | DUP | UNKNOWN | REUSED. KEYS: bot, token.
-- ARGV: key id, mac, bot, owner, scopes, created, expires, prefix of tokens.
-- with token
if redis.call('EXISTS', KEYS[1]) == 0 then return 'UNKNOWN' end
local live = {}
for keyid in string.gmatch(redis.call('HGET', KEYS[1], 'tokens'), '%S+') do
  if keyid == ARGV[1] and tonumber(redis.call('HGET', KEYS[2], 'expires_ms')) > tonumber(ARGV[6]) then return 'DUP' end
  live[#live + 1] = keyid
end
if redis.call('EXISTS', KEYS[2]) == 1 then return 'REUSED' end -- an old token never comes back
for i = 1, #live - 1 do redis.call('HSET', ARGV[8] .. live[i], 'revoked', 1) end
token(KEYS[2], ARGV[2], ARGV[3], ARGV[4], ARGV[5], ARGV[6], ARGV[7])
redis.call('HSET', KEYS[1], 'tokens', #live > 0 and live[#live] .. ' ' .. ARGV[1] or ARGV[1])
return 'OK'
