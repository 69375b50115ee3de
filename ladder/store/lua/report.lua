-- Keeps what was looked for in the results of a ladder unless a later look is there. KEYS: report, cfg.
-- ARGV: generation, seq, at, text. Returns OK | OLD; OLD also where the ladder was computed anew meanwhile. A key of another kind is none of ours.
local kind = redis.call('TYPE', KEYS[1]).ok
if kind ~= 'hash' and kind ~= 'none' then redis.call('DEL', KEYS[1]) end
local generation, seq, at = unpack(redis.call('HMGET', KEYS[1], 'generation', 'seq', 'at_ms'))
if (redis.call('HGET', KEYS[2], 'generation') or '0') ~= ARGV[1] then return 'OLD' end
if generation == ARGV[1] and ((tonumber(seq) or 0) > tonumber(ARGV[2]) or (tonumber(at) or 0) > tonumber(ARGV[3])) then return 'OLD' end
redis.call('HSET', KEYS[1], 'generation', ARGV[1], 'seq', ARGV[2], 'at_ms', ARGV[3], 'text', ARGV[4])
return 'OK'
