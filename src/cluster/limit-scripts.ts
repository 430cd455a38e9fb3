/**
 * What Redis runs for limits, on its own clock. A window is a sorted set of events by their time, running calls are one by
 * the time at which their lease ends. Each event has a name of its own, so that it is never counted twice.
 */

/**
 * All rules of a call in one step: all have room and are kept, or none is. KEYS: the epoch, then one for each rule. ARGV: the
 * epoch that the node knows, the milliseconds of a lease, then for each rule its kind, limit, milliseconds, the number of the
 * rule whose running calls take places of it, or 0, and the name of the event.
 *
 * Tokens are events whose names end in their number.
 *
 * Returns `{'lost'}` in another epoch, else for each rule the milliseconds until there is room and the events before.
 */
export const DECIDE = `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return {'lost'} end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local lease = tonumber(ARGV[2])
local reply, refused = {}, false
local function rule(i)
  local a = 3 + (i - 1) * 5
  return KEYS[i + 1], ARGV[a], tonumber(ARGV[a + 1]), tonumber(ARGV[a + 2]), tonumber(ARGV[a + 3]), ARGV[a + 4]
end
local function tokens(name) return tonumber(string.match(name, ':(%d+)$')) end
for i = 1, #KEYS - 1 do
  local key, kind, limit, ms, running, name = rule(i)
  local n, wait = 0, 0
  if kind == 'lease' then
    redis.call('ZREMRANGEBYSCORE', key, '-inf', now)
    n = redis.call('ZCARD', key)
    if limit > 0 and n >= limit then wait = 1000 end
  elseif kind == 'spend' or kind == 'spent' then
    redis.call('ZREMRANGEBYSCORE', key, '-inf', now - ms)
    local spent = redis.call('ZRANGE', key, 0, -1, 'WITHSCORES')
    for j = 1, #spent, 2 do n = n + tokens(spent[j]) end
    if kind == 'spend' and limit > 0 and n > 0 then
      local left, j = n, 1
      while left > 0 and left + tokens(name) > limit do
        left = left - tokens(spent[j])
        wait = math.max(1, math.min(ms, spent[j + 1] + ms - now))
        j = j + 2
      end
    end
  elseif kind ~= 'free' and kind ~= 'forget' then
    redis.call('ZREMRANGEBYSCORE', key, '-inf', now - ms)
    n = redis.call('ZCARD', key)
    if kind == 'take' or kind == 'check' then
      local room = limit
      if running > 0 then room = room - redis.call('ZCARD', KEYS[running + 1]) end
      if room <= 0 then wait = 1000
      elseif n >= room then
        local oldest = redis.call('ZRANGE', key, n - room, n - room, 'WITHSCORES')
        wait = math.max(1, math.min(ms, oldest[2] + ms - now))
      end
    end
  end
  if wait > 0 then refused = true end
  reply[2 * i - 1], reply[2 * i] = wait, n
end
if refused then return reply end
for i = 1, #KEYS - 1 do
  local key, kind, limit, ms, _, name = rule(i)
  if kind == 'take' or kind == 'add' or (kind == 'fill' and reply[2 * i] < limit) then
    redis.call('ZADD', key, now, name)
    local over = redis.call('ZCARD', key) - limit
    if over > 0 then redis.call('ZREMRANGEBYRANK', key, 0, over - 1) end
    redis.call('PEXPIRE', key, ms)
  elseif kind == 'lease' then
    redis.call('ZADD', key, now + lease, name)
    redis.call('PEXPIRE', key, lease)
  elseif (kind == 'spend' or kind == 'spent') and tokens(name) > 0 then
    redis.call('ZADD', key, now, name)
    redis.call('PEXPIRE', key, ms)
  elseif kind == 'free' then redis.call('ZREM', key, name)
  elseif kind == 'forget' then redis.call('DEL', key)
  end
end
return reply`

/**
 * Adds what a node remembers, which changes nothing where it is kept already. ARGV for each key: its milliseconds, how many
 * events follow, and their age, negative for the end of a lease, and name.
 */
export const REMEMBER = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local a = 1
for _, key in ipairs(KEYS) do
  local ms, count = ARGV[a], tonumber(ARGV[a + 1])
  a = a + 2
  for _ = 1, count do
    redis.call('ZADD', key, now - tonumber(ARGV[a]), ARGV[a + 1])
    a = a + 2
  end
  redis.call('PEXPIRE', key, ms)
end`

/**
 * The epoch: a name that is gone when Redis has lost what it kept. KEYS: the epoch, and the nodes by the time at which they
 * last asked, which also shows whether Redis can write. ARGV: the name of a new one, the node, and the milliseconds after
 * which it is gone. Returns the epoch, its age in milliseconds, and how many nodes there are.
 */
export const EPOCH = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('ZADD', KEYS[2], now, ARGV[2])
redis.call('PEXPIRE', KEYS[2], ARGV[3])
redis.call('SET', KEYS[1], ARGV[1] .. ' ' .. now, 'NX')
local epoch = redis.call('GET', KEYS[1])
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', now - ARGV[3])
return {epoch, now - tonumber(string.match(epoch, ' (%d+)$')), redis.call('ZCARD', KEYS[2])}`

/**
 * A place in the line of an account. KEYS: the epoch, the turns, and the time of the next free one. ARGV: the epoch that the
 * node knows, the subscriber, and in milliseconds the pace and how long a turn holds, and the most places.
 *
 * Returns -1 in another epoch, else the milliseconds until the turn, which is used up when it has come.
 */
export const TURN = `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return -1 end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local pace, grace, places = tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5])
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', now - grace)
local turn = tonumber(redis.call('ZSCORE', KEYS[2], ARGV[2]) or '')
if not turn then
  local first = redis.call('ZRANGE', KEYS[2], 0, 0, 'WITHSCORES')[2]
  if first and redis.call('ZCARD', KEYS[2]) >= places then return math.max(first, now) + pace - now end
  turn = math.max(tonumber(redis.call('GET', KEYS[3]) or now), now)
  redis.call('ZADD', KEYS[2], turn, ARGV[2])
  redis.call('PEXPIRE', KEYS[2], turn - now + pace + grace)
  redis.call('SET', KEYS[3], string.format('%d', turn + pace), 'PX', turn - now + pace + grace)
end
if turn > now then return turn - now end
redis.call('ZREM', KEYS[2], ARGV[2])
return 0`
