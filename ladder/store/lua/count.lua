-- Adds to counters once a call. KEYS: counters, this call. ARGV: seconds to remember the call, then counter, amount, …
if not redis.call('SET', KEYS[2], 1, 'NX', 'EX', ARGV[1]) then return 'DUP' end
for i = 2, #ARGV, 2 do redis.call('HINCRBY', KEYS[1], ARGV[i], ARGV[i + 1]) end
return 'OK'
