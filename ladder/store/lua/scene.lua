-- Shows a scene of a match to those who watch it. KEYS: its scenes. ARGV: id, scene, how many are kept, for how long (ms).
-- 'DUP': this one was shown before, or a later host has shown a newer one. A key of another kind is none of ours.
local kind = redis.call('TYPE', KEYS[1]).ok
if kind ~= 'stream' and kind ~= 'none' then redis.call('DEL', KEYS[1]) end
local shown = redis.pcall('XADD', KEYS[1], 'MAXLEN', ARGV[3], ARGV[1], 'd', ARGV[2])
if type(shown) == 'table' and shown.err then
  if string.find(shown.err, 'equal or smaller', 1, true) then return 'DUP' end
  return shown
end
redis.call('PEXPIRE', KEYS[1], ARGV[4])
return 'OK'
