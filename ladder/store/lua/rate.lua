-- Applies a match to its ladder: all meetings or none, once by match id. The mathematics of ladder/elo.py.
-- KEYS: cfg, seen, rating, games, log, stat, voids.
-- ARGV: match, digest, then by bot: name@n|team|places|points|rounds|faults, places being meetings by ';' and games by ','.
-- Returns OK, seq, change by bot in micro-points | DUP, seq | CONFLICT, seq:digest | VOID | NOLADDER | NOTENTERED, bot | BADARG, why.
-- All results of a tenant pass here one by one, so it is made to be quick: '%d' writes a whole number in a third of the
-- time of '%.0f' or '..', and a table that is made as long as two bots need is not made anew while it is filled.
local MICRO, SCALE, CLAMP = 1000000, 400, 25
local SEATS = {'s1', 's2', 's3', 's4', 's5', 's6', 's7', 's8', 's9', 's10'}
local call, floor, matched, format = redis.call, math.floor, string.match, string.format
local match, digest, count = ARGV[1], ARGV[2], #ARGV - 2
local seen = call('HGET', KEYS[2], match)
if seen then
  local seq, before = matched(seen, '^(%d+):(.*)$')
  if before == digest then return {'DUP', seq} end
  return {'CONFLICT', seen}
end
if call('HEXISTS', KEYS[7], match) == 1 then return {'VOID'} end
local cfg = call('HMGET', KEYS[1], 'k0', 'kmin', 'n0')
if not cfg[1] then return {'NOLADDER'} end
local k0, kmin, n0 = tonumber(cfg[1]), tonumber(cfg[2]), tonumber(cfg[3])
if count < 2 or count > 10 then return {'BADARG', 'bots'} end

-- read and validate everything before the first write: a script is not rolled back
local bots, names, sizes, meetings = {0, 0}, {0, 0}, {0}, 0 -- sizes[m] is how many games make meeting m
for i = 1, count do
  local name, team, text, points, rounds, faults = matched(ARGV[i + 2], '^([^|]+)|(%d+)|([%d,;]+)|(%-?%d+)|(%d+)|(%d+)$')
  if not name then return {'BADARG', 'seat'} end
  local places, g, m, games = {0, 0}, 0, 0, 0 -- those of all games in one row
  for digits, last in string.gmatch(text .. ';', '(%d+),*(;?)') do
    local place = tonumber(digits)
    if place < 1 or place > 10 then return {'BADARG', 'place'} end
    g, games = g + 1, games + 1
    places[g] = place
    if last == ';' then
      m = m + 1
      if i == 1 then sizes[m] = games elseif sizes[m] ~= games then return {'BADARG', 'games'} end
      games = 0
    end
  end
  if i == 1 then meetings = m elseif m ~= meetings then return {'BADARG', 'meetings'} end
  names[i] = name
  bots[i] = {
    name = name, team = team, places = places, points = points, rounds = rounds, faults = faults,
    won = 0, tied = 0, lost = 0, old = 0, rating = 0, played = 0, k = 0, change = 0, deltas = 0,
  }
end
if meetings < 1 or meetings > 16 then return {'BADARG', 'meetings'} end

local pairings, met = {0}, 0 -- of opponents
for i = 1, count - 1 do
  for j = i + 1, count do
    if names[i] == names[j] then return {'BADARG', 'bot twice'} end
    if bots[i].team ~= bots[j].team then
      met = met + 1
      pairings[met] = {one = bots[i], other = bots[j]}
    end
  end
end

local rating, stats = call('ZMSCORE', KEYS[3], unpack(names)), call('HMGET', KEYS[6], unpack(names))
for i = 1, count do
  local bot = bots[i]
  if not rating[i] then return {'NOTENTERED', bot.name} end
  bot.rating = tonumber(rating[i])
  bot.old = bot.rating
  if stats[i] then
    local points, rounds, faults
    bot.played, bot.won, bot.tied, bot.lost, points, rounds, faults =
      matched(stats[i], '^(%d+) (%d+) (%d+) (%d+) (%-?%d+) (%d+) (%d+)$')
    bot.points, bot.rounds, bot.faults = points + bot.points, rounds + bot.rounds, faults + bot.faults
  end
end

local at = 0
for m = 1, meetings do
  local games = sizes[m]
  for i = 1, count do
    local bot = bots[i]
    local k = floor(k0 * n0 / (n0 + 1000 * bot.played))
    bot.k, bot.change = k > kmin and k or kmin, 0
  end
  for n = 1, met do
    local pair, won, tied = pairings[n], 0, 0
    local one, other = pair.one, pair.other
    local a, b = one.places, other.places
    for g = at + 1, at + games do
      if a[g] < b[g] then won = won + 1 elseif a[g] == b[g] then tied = tied + 1 end
    end
    local lost, sum = games - won - tied, 2 * won + tied
    one.won, one.tied, one.lost = one.won + won, one.tied + tied, one.lost + lost
    other.won, other.tied, other.lost = other.won + lost, other.tied + tied, other.lost + won
    local steps = (other.rating - one.rating) / MICRO / SCALE
    if steps > CLAMP then steps = CLAMP elseif steps < -CLAMP then steps = -CLAMP end
    local surprise = sum / (2 * games) - 1 / (1 + 10 ^ steps)
    local x = floor((one.k + other.k) / 2) * 1000 * surprise / (count - 1)
    x = x >= 0 and floor(x + 0.5) or -floor(-x + 0.5)
    one.change, other.change = one.change + x, other.change - x
  end
  for i = 1, count do
    local bot = bots[i]
    bot.rating, bot.played = bot.rating + bot.change, bot.played + 1
    bot.deltas = m == 1 and format('%d', bot.change) or format('%s;%d', bot.deltas, bot.change)
  end
  at = at + games
end

local seq = format('%d', call('HINCRBY', KEYS[4], '#seq', 1))
local zadd, stat, seats, reply = {0, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}, {'OK', seq, 0, 0}
for i = 1, count do
  local bot = bots[i]
  zadd[2 * i - 1], zadd[2 * i] = format('%d', bot.rating), bot.name
  stat[2 * i - 1], stat[2 * i] = bot.name, format('%d %d %d %d %d %d %d',
    bot.played, bot.won, bot.tied, bot.lost, bot.points, bot.rounds, bot.faults)
  seats[2 * i - 1] = SEATS[i]
  seats[2 * i] = format('%s|%d|%d|%s', ARGV[i + 2], bot.played - meetings, bot.old, bot.deltas)
  reply[i + 2] = bot.rating - bot.old
end
call('ZADD', KEYS[3], unpack(zadd))
call('HSET', KEYS[6], unpack(stat))
call('HSET', KEYS[2], match, seq .. ':' .. digest)
call('XADD', KEYS[5], seq .. '-0', 'op', 'match', 'gid', match, 'dg', digest, 'k', table.concat(cfg, ' '), unpack(seats))
return reply
