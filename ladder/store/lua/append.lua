-- Adds one entry to the log of a match. KEYS: head, log. ARGV: old head, new head, entry id, bytes.
local head = redis.call('GET', KEYS[1])
if head == ARGV[2] then return 'DUP' end
if head ~= ARGV[1] then return redis.error_reply('HEAD ' .. tostring(head)) end
redis.call('XADD', KEYS[2], ARGV[3], 'd', ARGV[4])
redis.call('SET', KEYS[1], ARGV[2])
return 'OK'
