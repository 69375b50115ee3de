-- Begins a new generation of a ladder. KEYS: its builder, then the parts in the making. ARGV: builder, seconds to live.
local holder = redis.call('GET', KEYS[1])
if holder and holder ~= ARGV[1] then return 'BUSY' end
redis.call('SET', KEYS[1], ARGV[1], 'EX', ARGV[2])
redis.call('UNLINK', unpack(KEYS, 2))
return 'OK'
