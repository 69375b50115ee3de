-- Notes an operator's verb once a call. KEYS: audit, this call. ARGV: seconds to remember the call, entries to keep, then fields and values.
if not redis.call('SET', KEYS[2], 1, 'NX', 'EX', ARGV[1]) then return 'DUP' end
redis.call('XADD', KEYS[1], 'MAXLEN', '~', ARGV[2], '*', unpack(ARGV, 3))
return 'OK'
