-- Parks a closed match that cannot be applied; one that was ordered to be void is void then.
-- KEYS: match, states, ready, due, open, tournament, its open, counters. ARGV: id, reason, now, counter of alarms.
-- with move
local state = redis.call('HGET', KEYS[1], 'state')
if state == 'parked' or state == 'void' then return 'DUP' end
if state ~= 'closed' then return 'STATE' end
local k = {states = KEYS[2], ready = KEYS[3], due = KEYS[4], open = KEYS[5], tournament = KEYS[6], tournament_open = KEYS[7]}
if obeyed(ARGV[1], KEYS[1], k, ARGV[3]) then return 'OK' end
lose(ARGV[1], KEYS[1], k, 'parked', ARGV[2], ARGV[3])
redis.pcall('HINCRBY', KEYS[8], ARGV[4], 1) -- with it: whoever is killed in between leaves no match that nobody hears of
return 'OK'
