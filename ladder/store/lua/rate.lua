-- Applies a match to its ladder: all meetings or none, once by match id. The mathematics of ladder/elo.py.
-- KEYS: cfg, seen, rating, games, log, stat, pair, voids.
-- ARGV: match, digest, then by bot: name@n|team|places|points|rounds|faults, places being meetings by ';' and games by ','.
-- Returns OK, seq, change by bot in micro-points | DUP, seq | CONFLICT, seq:digest | VOID | NOLADDER | NOTENTERED, bot | BADARG, why.
local MICRO, SCALE, CLAMP = 1000000, 400, 25
local floor, max, min, format, concat, byte = math.floor, math.max, math.min, string.format, table.concat, string.byte
local match, digest, bots = ARGV[1], ARGV[2], #ARGV - 2
local seen = redis.call('HGET', KEYS[2], match)
if seen then
  local seq, before = string.match(seen, '^(%d+):(.*)$')
  if before == digest then return {'DUP', seq} end
  return {'CONFLICT', seen}
end
if redis.call('HEXISTS', KEYS[8], match) == 1 then return {'VOID'} end
local cfg = redis.call('HMGET', KEYS[1], 'k0', 'kmin', 'n0')
if not cfg[1] then return {'NOLADDER'} end
local k0, kmin, n0 = tonumber(cfg[1]), tonumber(cfg[2]), tonumber(cfg[3])
if bots < 2 or bots > 10 then return {'BADARG', 'bots'} end

local function whole(x) return format('%.0f', x) end
local function sorted(a, b) -- by bytes: '<' would ask the locale
  for i = 1, min(#a, #b) do
    local x, y = byte(a, i), byte(b, i)
    if x ~= y then return x < y end
  end
  return #a < #b
end

-- read and validate everything before the first write: a script is not rolled back
local names, teams, places, points, rounds, faults, sizes, known = {}, {}, {}, {}, {}, {}, {}, {}
for i = 1, bots do
  local name, team, text, p, r, f = string.match(ARGV[i + 2], '^([^|]+)|(%d+)|([%d,;]+)|(%-?%d+)|(%d+)|(%d+)$')
  if not name then return {'BADARG', 'seat'} end
  if known[name] then return {'BADARG', 'bot twice'} end
  known[name] = true
  names[i], teams[i], points[i], rounds[i], faults[i] = name, team, p, r, f
  local row, m = {}, 0 -- the places of all games in one row; sizes[m] is how many of them make meeting m
  for meeting in string.gmatch(text, '[^;]+') do
    local games = 0
    for digits in string.gmatch(meeting, '%d+') do
      local place = tonumber(digits)
      if place < 1 or place > 10 then return {'BADARG', 'place'} end
      games = games + 1
      row[#row + 1] = place
    end
    m = m + 1
    if i == 1 then sizes[m] = games elseif sizes[m] ~= games then return {'BADARG', 'games'} end
  end
  if m ~= #sizes then return {'BADARG', 'meetings'} end
  places[i] = row
end
local meetings = #sizes
if meetings < 1 or meetings > 16 then return {'BADARG', 'meetings'} end
local rating, played, stats = redis.call('ZMSCORE', KEYS[3], unpack(names)), {}, redis.call('HMGET', KEYS[6], unpack(names))
local old, first, deltas, won, tied, lost = {}, {}, {}, {}, {}, {}
for i = 1, bots do
  if not rating[i] then return {'NOTENTERED', names[i]} end
  rating[i] = tonumber(rating[i])
  played[i] = stats[i] and tonumber(string.match(stats[i], '^%d+')) or 0
  old[i], first[i], deltas[i], won[i], tied[i], lost[i] = rating[i], played[i], {}, 0, 0, 0
end

-- pairs of opponents, by the order of their names
local pair_names, ones, others, halves, ahead = {}, {}, {}, {}, {}
for i = 1, bots - 1 do
  for j = i + 1, bots do
    if teams[i] ~= teams[j] then
      local n = #ones + 1
      ones[n], others[n], halves[n], ahead[n] = i, j, 0, sorted(names[i], names[j])
      pair_names[n] = ahead[n] and names[i] .. '|' .. names[j] or names[j] .. '|' .. names[i]
    end
  end
end

local at, all = 0, 0
for m = 1, meetings do
  local games, change, k = sizes[m], {}, {}
  for i = 1, bots do
    change[i] = 0
    k[i] = max(kmin, floor(k0 * n0 / (n0 + 1000 * played[i])))
  end
  for n = 1, #ones do
    local i, j, sum = ones[n], others[n], 0
    local a, b = places[i], places[j]
    for g = at + 1, at + games do
      if a[g] < b[g] then
        sum = sum + 2
        won[i], lost[j] = won[i] + 1, lost[j] + 1
      elseif a[g] == b[g] then
        sum = sum + 1
        tied[i], tied[j] = tied[i] + 1, tied[j] + 1
      else
        won[j], lost[i] = won[j] + 1, lost[i] + 1
      end
    end
    halves[n] = halves[n] + sum
    local steps = max(-CLAMP, min(CLAMP, (rating[j] - rating[i]) / MICRO / SCALE))
    local surprise = sum / (2 * games) - 1 / (1 + 10 ^ steps)
    local x = floor((k[i] + k[j]) / 2) * 1000 * surprise / (bots - 1)
    x = x >= 0 and floor(x + 0.5) or -floor(-x + 0.5)
    change[i], change[j] = change[i] + x, change[j] - x
  end
  for i = 1, bots do
    rating[i], played[i], deltas[i][m] = rating[i] + change[i], played[i] + 1, whole(change[i])
  end
  at, all = at + games, all + games
end

local seq = redis.call('HINCRBY', KEYS[4], '#seq', 1)
local zadd, stat, seats, reply = {}, {}, {}, {'OK', whole(seq)}
for i = 1, bots do
  local w, t, l, p, r, f = string.match(stats[i] or '0 0 0 0 0 0 0', '^%d+ (%d+) (%d+) (%d+) (%-?%d+) (%d+) (%d+)$')
  zadd[2 * i - 1], zadd[2 * i] = whole(rating[i]), names[i]
  stat[2 * i - 1] = names[i]
  stat[2 * i] = concat({played[i], w + won[i], t + tied[i], l + lost[i], whole(p + points[i]), r + rounds[i], f + faults[i]}, ' ')
  seats[2 * i - 1] = 's' .. i
  seats[2 * i] = concat({ARGV[i + 2], first[i], whole(old[i]), concat(deltas[i], ';')}, '|')
  reply[i + 2] = whole(rating[i] - old[i])
end
redis.call('ZADD', KEYS[3], unpack(zadd))
redis.call('HSET', KEYS[6], unpack(stat))
if #ones > 0 then
  local before, pair = redis.call('HMGET', KEYS[7], unpack(pair_names)), {}
  for n = 1, #ones do
    local games, sum = string.match(before[n] or '0 0', '^(%d+) (%d+)$')
    local mine = halves[n]
    if not ahead[n] then mine = 2 * all - mine end
    pair[2 * n - 1], pair[2 * n] = pair_names[n], concat({games + all, sum + mine}, ' ')
  end
  redis.call('HSET', KEYS[7], unpack(pair))
end
redis.call('HSET', KEYS[2], match, reply[2] .. ':' .. digest)
redis.call('XADD', KEYS[5], reply[2] .. '-0', 'op', 'match', 'gid', match, 'dg', digest, 'k', concat(cfg, ' '), unpack(seats))
return reply
