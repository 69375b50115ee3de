-- A referee is gone. KEYS: its beat.
return redis.call('DEL', KEYS[1])
