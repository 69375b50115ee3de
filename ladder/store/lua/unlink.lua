-- An owner stands for itself again. KEYS: owners that are linked. ARGV: owner. Returns OK, or SAME where it did.
local head = redis.call('HGET', KEYS[1], ARGV[1])
if not head then return 'SAME' end
redis.call('HDEL', KEYS[1], ARGV[1])
local left, all = {}, redis.call('HGETALL', KEYS[1])
for n = 1, #all, 2 do
  if all[n + 1] == head then left[#left + 1] = all[n] end
end
table.sort(left)
for _, owner in ipairs(left) do
  if #left == 1 then redis.call('HDEL', KEYS[1], owner) else redis.call('HSET', KEYS[1], owner, head == ARGV[1] and left[1] or head) end
end
return 'OK'
