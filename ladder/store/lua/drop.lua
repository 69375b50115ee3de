-- Ends a match whose row cannot be read, in whatever state it is: void, off all lists, and fenced from its host.
-- KEYS: match, head, states, ready, due, open, luck of the match, matches that wait for it, unarchived, tournament, its open,
-- its lost ones that wait, voids of the ladder, ladders to compute anew, what the house scored on its cards, matches that wait for that.
-- ARGV: id, reason, now, its tournament or '', the format on whose ladder it was applied or '', prefix of what referees own.
-- Returns OK or SAME (it was dropped), void, 1 if a ladder is to be computed anew.
local id, match, tournament = ARGV[1], KEYS[1], ARGV[4]
if redis.call('EXISTS', match) == 0 then return {'UNKNOWN'} end
if redis.call('TYPE', match).ok ~= 'hash' then redis.call('DEL', match) end
if redis.call('HEXISTS', match, 'dropped') == 1 then return {'SAME', 'void', '0'} end
local known = {planned = 1, ready = 1, running = 1, closed = 1, rated = 1, archived = 1, trimmed = 1, void = 1, parked = 1}
local state = redis.call('HGET', match, 'state') or ''
if not known[state] then -- the lists say what it was
  state = ''
  if redis.call('SISMEMBER', KEYS[6], id) == 1 then state = 'planned' end
  if redis.call('ZSCORE', KEYS[9], id) then state = 'rated' end
  if redis.call('ZSCORE', KEYS[4], id) then state = 'ready' end
  if redis.call('ZSCORE', KEYS[5], 'rate:' .. id) then state = 'closed' end
end
local function add(field, amount)
  if tournament ~= '' then pcall(redis.call, 'HINCRBY', KEYS[10], field, amount) end
end
local counted = state == 'rated' or state == 'archived' or state == 'trimmed'
if state == 'parked' then add('parked', -1) elseif state ~= 'void' then add('lost', 1) end
if counted then add('done', -1) end
local games = tonumber(redis.call('HGET', match, 'games_done') or '0')
if games and games > 0 then add('games_done', -games) end
if state ~= '' then redis.call('HINCRBY', KEYS[3], state, -1) end
redis.call('HINCRBY', KEYS[3], 'void', 1)
local owner = redis.call('HGET', match, 'owner') or ''
if owner ~= '' then redis.call('SREM', ARGV[6] .. owner, id) end
redis.call('HSET', match, 'id', id, 'state', 'void', 'owner', '', 'tournament', tournament, 'reason', ARGV[2], 'ended_ms', ARGV[3], 'stop', '', 'games_done', 0, 'dropped', 1)
redis.call('DEL', KEYS[2]) -- whoever hosts it can write nothing more
redis.call('ZREM', KEYS[4], id)
redis.call('ZREM', KEYS[5], 'rate:' .. id)
redis.call('SREM', KEYS[6], id)
if redis.call('DEL', KEYS[7]) == 1 then add('lucky', -1) end
redis.call('ZREM', KEYS[8], id)
redis.call('ZREM', KEYS[9], id)
redis.call('SREM', KEYS[11], id)
redis.call('SREM', KEYS[12], id)
redis.call('DEL', KEYS[15])
redis.call('ZREM', KEYS[16], id)
if ARGV[5] == '' then return {'OK', 'void', '0'} end
redis.call('HSET', KEYS[13], id, ARGV[2])
redis.call('ZADD', KEYS[14], 'NX', ARGV[3], ARGV[5])
return {'OK', 'void', '1'}
