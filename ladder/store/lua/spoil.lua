-- Parks a closed match that cannot be applied; one that was ordered to be void is void then.
-- KEYS: match, states, ready, due, open, tournament, its open. ARGV: id, reason, now.
-- with move
local state = redis.call('HGET', KEYS[1], 'state')
if state == 'parked' or state == 'void' then return 'DUP' end
if state ~= 'closed' then return 'STATE' end
local k = {states = KEYS[2], ready = KEYS[3], due = KEYS[4], open = KEYS[5], tournament = KEYS[6], tournament_open = KEYS[7]}
if not obeyed(ARGV[1], KEYS[1], k, ARGV[3]) then lose(ARGV[1], KEYS[1], k, 'parked', ARGV[2], ARGV[3]) end
return 'OK'
