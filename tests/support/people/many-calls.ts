/**
 * Millions of log entries with their hourly usage, made by the database itself from one number per row: the same on both
 * engines. Entries are spread evenly over the days; few users, models and tokens have most of them.
 */
import { type SQL, sql } from 'drizzle-orm'
import { atomic, rawQuery, run } from '../../../src/db/atomic.ts'
import { postgres, sqlite } from '../../../src/db/database.ts'
import { dialect } from '../../../src/db/dialect.ts'
import { rollUpUsage } from '../../../src/domain/usage/index.ts'

interface ManyCalls {
  rows: number
  days: number
  /** Unix seconds of the newest entry. */
  until: number
}

/** Users, tokens and channels that the entries name have ids from here on. */
export const FIRST_ID = 10_000
export const USERS = 2000
export const CHANNELS = 30
export const MODELS = 60
const TOKENS_PER_USER = 2
const TOKEN_NAMES = 40
const MODELS_PER_USER = 4

/** Rows of one transaction. */
const BATCH_ROWS = 200_000
const DAY_SECONDS = 86_400

export const modelName = (number: number) => `vendor-${number % 7}/chat-model-${number}`

export async function generateCalls({ rows, days, until }: ManyCalls) {
  await execute(users)
  await execute(tokens)
  await execute(channels)
  const indexes = await withoutIndexes()
  const seconds = days * DAY_SECONDS
  for (let first = 0; first < rows; first += BATCH_ROWS)
    await execute(entries(first, Math.min(rows, first + BATCH_ROWS), { rows, seconds, start: until - seconds }))
  await execute(hours)
  for (const index of indexes) await execute(sql.raw(index))
  for (const balance of balances) await execute(balance)
  await rollUpUsage()
  if (dialect === 'sqlite') await execute(sql`analyze`)
  // Outside a transaction. Index-only scans need the map of visible pages.
  else await postgres!.unsafe('vacuum analyze')
}

const execute = (statement: SQL) => atomic(tx => run(rawQuery(tx, statement)))

/** Drops the indexes of the log, which are built faster at the end. @returns the statements that create them */
async function withoutIndexes(): Promise<string[]> {
  const found =
    dialect === 'sqlite'
      ? sqlite!.query<{ name: string; definition: string }, []>(LITE_INDEXES).all()
      : await postgres!.unsafe(POSTGRES_INDEXES)
  for (const { name } of found) await execute(sql.raw(`drop index "${name}"`))
  return found.map(({ definition }: { definition: string }) => definition)
}

const LITE_INDEXES = `select name, sql as definition from sqlite_master
  where type = 'index' and tbl_name = 'logs' and sql is not null`
const POSTGRES_INDEXES = `select indexname as name, indexdef as definition from pg_indexes
  where schemaname = current_schema() and tablename = 'logs' and indexname not like '%pkey'`

const series = (first: number, end: number): SQL =>
  dialect === 'sqlite'
    ? sql`(with recursive n(i) as (select ${first} + 0 union all select i + 1 from n where i + 1 < ${end}) select i from n) as n`
    : sql`generate_series(${first}::bigint, ${end - 1}::bigint) as n(i)`

const users = sql`insert into users (id, username, "group", created_time, setting)
  select ${FIRST_ID} + i, 'person-' || i, ${groupOf(sql`i`)}, 0, '' from ${series(0, USERS)}`

const tokens = sql`insert into tokens (id, user_id, name, key_sealed, key_hash, key_tail, created_time)
  select ${FIRST_ID} + i, ${FIRST_ID} + i / ${TOKENS_PER_USER}, 'key-' || (i % ${TOKEN_NAMES}), '', 'hash-' || i, '', 0
  from ${series(0, USERS * TOKENS_PER_USER)}`

const channels = sql`insert into channels (id, name, key_sealed, setting, status, created_time)
  select ${FIRST_ID} + i, 'channel-' || i, '', '', 2, 0 from ${series(0, CHANNELS)}`

function groupOf(user: SQL): SQL {
  return sql`case when ${user} % 10 < 7 then 'default' when ${user} % 10 < 9 then 'vip' else 'svip' end`
}

/** A number below 10,000 for a row; `seed` gives other numbers for other columns. */
const draw = (seed: number) => sql`(i * ${sql.raw(String(seed))} % 999983 * (i * 7919 % 1000003) % 10007 % 10000)`

const TEN_THOUSAND = 10_000
/** Of so many calls in a row, a few users make all. */
const BURST_CALLS = 500
const BURST_USERS = 12

interface Place {
  rows: number
  seconds: number
  start: number
}

function entries(first: number, end: number, { rows, seconds, start }: Place) {
  const drawn = sql`select i, i / ${BURST_CALLS} as burst, ${draw(104_729)} % ${BURST_USERS} as a, ${draw(15_485_863)} as b,
    ${draw(32_452_843)} as c, ${draw(49_979_687)} as d, ${draw(67_867_967)} as e from ${series(first, end)}`
  const bursts = sql`select i, burst, b, c, d, e, burst * ${BURST_USERS} + a as x from (${drawn}) as drawn`
  const placed = sql`select i, burst, b, c, d, e, (x * x % 999983 * 7919 + x * 31) % 999983 % ${TEN_THOUSAND} as p
    from (${bursts}) as bursts`
  const owned = sql`select i, burst, b, c, d, e, ${USERS} * p * p / ${TEN_THOUSAND} * p / ${TEN_THOUSAND ** 2} as person
    from (${placed}) as placed`
  const chosen = sql`select i, c, e, person, (person * 13 + ${MODELS_PER_USER} * b * b / ${TEN_THOUSAND ** 2}) % ${MODELS} as model,
    person * ${TOKENS_PER_USER} + burst % ${TOKENS_PER_USER} as token,
    case when d < 9700 then 2 when d < 9960 then 6 when d < 9975 then 1 when d < 9985 then 3 when d < 9995 then 4 else 5 end as type
    from (${owned}) as owned`
  return sql`insert into logs (created_at, type, user_id, username, token_id, token_name, model_name, "group", channel,
      is_stream, use_time, prompt_tokens, completion_tokens, quota, content, request_id, other)
    select ${start} + i * ${seconds} / ${rows}, type, ${FIRST_ID} + person, 'person-' || person, ${FIRST_ID} + token,
      'key-' || (token % ${TOKEN_NAMES}), 'vendor-' || (model % 7) || '/chat-model-' || model, ${groupOf(sql`person`)},
      ${FIRST_ID} + (model * 7 + c % 3) % ${CHANNELS}, e % 3 > 0, e % 40, 100 + c * 2, 10 + e / 5,
      case when type = 2 then 20 + c * 2 + e else 0 end,
      case when type = 6 then 'Rate limit reached for requests' else '' end,
      'req_' || (1000000000000 + i * 7919), ${details}
    from (${chosen}) as calls`
}

/** Of the entry with this number; the oldest is 0. */
export const requestIdOf = (entry: number): string => `req_${1_000_000_000_000 + entry * 7919}`

const details = sql`'{"model_ratio":1.25,"group_ratio":1,"completion_ratio":4,"model_price":-1,"cache_tokens":' || e ||
  ',"cache_ratio":0.5,"price_version":"5f2c9a1b77e0","request_path":"/v1/chat/completions","duration_ms":' || (e * 4) ||
  ',"frt":' || (c / 3) || ',"stream_status":"finished","lines":[{"bucket":"input","count":' || (c * 2) ||
  ',"unit_price":2.5,"per":1000000,"ratio":1,"amount":0.0' || c || '},{"bucket":"cache_read","count":' || e ||
  ',"unit_price":1.25,"per":1000000,"ratio":1,"amount":0.00' || e || '},{"bucket":"output","count":' || (e / 5) ||
  ',"unit_price":10,"per":1000000,"ratio":1,"amount":0.00' || c || '}],"admin_info":{"use_channel":["' || (c % 30) ||
  '"],"attempts":[{"channel":' || (c % 30) || ',"name":"channel-' || (c % 30) || '","status":200,"reason":"","ms":' || e || '}]}}'`

const hours = sql`insert into usage_hourly (hour, user_id, token_id, channel_id, model, "group", calls, prompt_tokens,
    completion_tokens, quota)
  select created_at - created_at % 3600, user_id, token_id, channel, model_name, "group", count(*), sum(prompt_tokens),
    sum(completion_tokens), sum(quota)
  from logs where type = 2 and user_id >= ${FIRST_ID} group by 1, 2, 3, 4, 5, 6`

/** As if every call had been charged, for the audit. */
const balances = [
  sql`update users set quota = -used.quota, used_quota = used.quota, request_count = used.calls
    from (select user_id, sum(quota) as quota, sum(calls) as calls from usage_hourly group by user_id) as used
    where used.user_id = users.id and users.id >= ${FIRST_ID}`,
  sql`update tokens set used_quota = used.quota
    from (select token_id, sum(quota) as quota from usage_hourly group by token_id) as used
    where used.token_id = tokens.id and tokens.id >= ${FIRST_ID}`,
  sql`update channels set used_quota = used.quota
    from (select channel_id, sum(quota) as quota from usage_hourly group by channel_id) as used
    where used.channel_id = channels.id and channels.id >= ${FIRST_ID}`,
]
