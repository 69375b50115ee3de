-- The append of append.lua, for scripts that do more: 'OK', 'DUP', or an error HEAD.
local function append(head_key, log_key, old, new, entry, data)
  local head = redis.call('GET', head_key)
  if head == new then return 'DUP' end
  if head ~= old then return redis.error_reply('HEAD ' .. tostring(head)) end
  redis.call('XADD', log_key, entry, 'd', data)
  redis.call('SET', head_key, new)
  return 'OK'
end
-- The number of acts in the epoch of this head.
local function acts(head)
  return tonumber(string.match(head, '^%d+%-(%d+)%-'))
end
