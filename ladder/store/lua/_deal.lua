-- The owner that a bot stands for at a deal: those that an operator linked are one; house bots have none (nil).
-- A bot, or links, that cannot be read leave it standing for itself: no match waits for what is damaged elsewhere.
local function stands_for(name, bots, kin)
  local owner, house = unpack(redis.pcall('HMGET', bots .. name, 'owner', 'house'))
  if house == '1' then return nil end
  if not owner then return 'bot:' .. name end
  local head = redis.pcall('HGET', kin, owner)
  return 'owner:' .. (type(head) == 'string' and head or owner)
end
-- Seats a table at its deals for the first time; returns nothing, or why nobody may sit there: then nothing is written.
-- Deals of its own: no other table has them. Field: no owner has met them at another table, and none sits twice where others do.
-- Mirrored: the organiser vouches for all, or they are the house's, or one owner's.
local function seated(id, match, deal, bots, kin, life)
  local deals, trusted, entrants = unpack(redis.call('HMGET', match, 'deals', 'trusted', 'entrants'))
  local owners, once, twice, house = {}, {}, false, 0
  local read, names = pcall(cjson.decode, entrants)
  for _, entrant in ipairs(read and type(names) == 'table' and names or {}) do
    local owner = stands_for(string.match(tostring(entrant), '^[^@]*'), bots, kin)
    if owner and once[owner] then twice = true end
    if owner and not once[owner] then owners[#owners + 1], once[owner] = owner, true end
    if not owner then house = 1 end
  end
  if deals == 'field' then
    local before = redis.call('SCARD', deal)
    if before > 0 and (twice or redis.call('SISMEMBER', deal, 'alone') == 1) then return 'an owner sits twice at a table of its deals' end
    for _, owner in ipairs(owners) do
      if redis.call('SISMEMBER', deal, owner) == 1 then return 'one of its owners met its deals before' end
    end
    redis.call('SADD', deal, 'table:' .. id, unpack(owners))
    if twice then redis.call('SADD', deal, 'alone') end
  else
    if deals == 'mirrored' and trusted == '0' and #owners > 0 and #owners + house > 1 then return 'its deal is played in all seats by bots that nobody vouches for' end
    if not redis.call('SET', deal, id, 'NX') and redis.call('GET', deal) ~= id then return 'another table has its deals' end
  end
  redis.call('EXPIRE', deal, life)
end
