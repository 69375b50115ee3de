-- Enters bots in a ladder. KEYS: cfg, rating, games, log, formats, pairs (the first release counted them here; they are read from the log).
-- ARGV: format, ruleset, seats, k0, kmin, n0, init, then bot, predecessor or '', …. Returns 'OK' and the new ones.
local cfg = redis.call('HMGET', KEYS[1], 'ruleset', 'seats', 'k0', 'kmin', 'n0', 'init')
if cfg[1] then
  for i = 1, 6 do
    if cfg[i] ~= ARGV[i + 1] then return {'CONFLICT', table.concat(cfg, ' ')} end
  end
else
  redis.call('HSET', KEYS[1], 'schema', 1, 'ruleset', ARGV[2], 'seats', ARGV[3],
    'k0', ARGV[4], 'kmin', ARGV[5], 'n0', ARGV[6], 'init', ARGV[7])
  redis.call('HSETNX', KEYS[3], '#seq', 0)
end
redis.call('HSET', KEYS[5], ARGV[1], ARGV[2])
redis.call('UNLINK', KEYS[6])
local entered = {'OK'}
-- the number of the last match, and of entries after it
local seq, sub = redis.call('HGET', KEYS[3], '#seq'), 0
local last = redis.call('XREVRANGE', KEYS[4], '+', '-', 'COUNT', 1)[1]
if last then
  local last_seq, last_sub = string.match(last[1], '^(%d+)%-(%d+)$')
  if last_seq == seq then sub = tonumber(last_sub) end
end
for i = 8, #ARGV, 2 do
  local bot, before = ARGV[i], ARGV[i + 1]
  if not redis.call('ZSCORE', KEYS[2], bot) then
    local entry = before ~= '' and redis.call('ZSCORE', KEYS[2], before) or ARGV[7]
    entry = string.format('%.0f', tonumber(entry))
    redis.call('ZADD', KEYS[2], entry, bot)
    redis.call('HINCRBY', KEYS[3], '#sum', entry)
    sub = sub + 1
    redis.call('XADD', KEYS[4], seq .. '-' .. sub, 'op', 'enter', 'bot', bot, 'from', before, 'entry', entry)
    entered[#entered + 1] = bot
  end
end
return entered
