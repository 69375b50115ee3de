-- Writes a live token; its secret is known here by its MAC only.
local function token(key, mac, bot, owner, scopes, created, expires)
  redis.call('HSET', key, 'mac', mac, 'bot', bot, 'owner', owner, 'scopes', scopes,
    'created_ms', created, 'expires_ms', expires, 'revoked', 0)
end
