-- Behind a script, which is `act`: where it did what it was asked for, a verb is noted with it, once a call.
-- KEYS: those of the script, audit, this call. ARGV: those of the script, seconds to remember the call, entries to keep, fields and values, number of those of the script.
local own = tonumber(ARGV[#ARGV])
local reply = act({unpack(KEYS, 1, #KEYS - 2)}, {unpack(ARGV, 1, own)})
local word = type(reply) == 'table' and reply[1] or reply
if word == 'OK' and redis.call('SET', KEYS[#KEYS], 1, 'NX', 'EX', ARGV[own + 1]) then
  redis.call('XADD', KEYS[#KEYS - 1], 'MAXLEN', '~', ARGV[own + 2], '*', unpack(ARGV, own + 3, #ARGV - 1))
end
return reply
