-- Takes a slot of a job. KEYS: the slot. ARGV: who, seconds to live. A repeat by the same caller is granted again.
local holder = redis.call('GET', KEYS[1])
if holder then return holder == ARGV[1] and 1 or 0 end
redis.call('SET', KEYS[1], ARGV[1], 'EX', ARGV[2])
return 1
