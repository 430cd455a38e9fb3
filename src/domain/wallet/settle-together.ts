/**
 * PostgreSQL: the bills of many calls in one statement, which is a transaction and a round trip of its own. What another
 * transaction has locked is passed over, so that it holds up the bills of its own calls alone.
 */
import { tellHere } from '../../cluster/changes.ts'
import { TokenStatus } from '../../contracts/token.ts'
import { postgres } from '../../db/database.ts'
import { sumsOf, type WindowSum } from '../budgets/index.ts'
import { logRowOf } from '../logs/index.ts'
import { storedRowsOf } from '../stored-objects/index.ts'
import { hourOf, lateSpansOf, orderOf } from '../usage/index.ts'
import type { ChargedBalance } from './charged.ts'
import type { BilledCall, EndedCall } from './ended-call.ts'
import type { CommittedBills } from './settle.ts'

interface Answer {
  passed_over: number[]
  balances: (ChargedBalance & { charged: number })[]
  exhausted: number[]
  windows?: WindowSum[]
}

/** Bills ended calls without a condition, and frees what they hold; a call that was settled before is only freed. */
export async function settleTogether(calls: readonly EndedCall[]): Promise<CommittedBills> {
  const budgets = sumsAt(calls)
  const [row] = budgets
    ? await postgres!.unsafe(withBudgets, [...parametersOf(calls), JSON.stringify(budgets)])
    : await postgres!.unsafe(statement, parametersOf(calls))
  const { passed_over, balances, exhausted, windows = [] } = row.answer as Answer
  if (exhausted.length) tellHere('token', exhausted)
  const charged = balances.filter(user => user.charged > 0)
  return { passed_over, balances: charged.map(({ user_id, balance }) => ({ user_id, balance })), windows }
}

function parametersOf(calls: readonly EndedCall[]): string[] {
  const billed = calls.flatMap((call, place) => (isBilled(call) ? [{ call, place, hour: hourOf(call) }] : []))
  const placesOfHours = placesInOrder(billed.map(({ hour }) => orderOf(hour)))
  const hours = new Map(billed.map(({ place, hour }) => [place, { ...hour, order: placesOfHours.get(orderOf(hour)) }]))
  const ended = calls.map((call, place) => {
    const { request_id, user_id, token_id, at, bill } = call
    return { channel_id: 0, ...hours.get(place), place, request_id, user_id, token_id, at, billed: bill !== undefined }
  })
  const logs = billed.flatMap(({ call: { bill }, place }) => (bill.log ? [{ ...logRowOf(bill.log), place }] : []))
  const made = billed.flatMap(({ call: { bill }, place }) => bill.stored?.map(one => ({ ...one, place })) ?? [])
  const stored = storedRowsOf(made)
  const late = lateSpansOf(billed.map(({ hour }) => hour))
  const made_records = calls.flatMap(({ request_id, user_id, at, record }, place) =>
    record ? [{ place, request_id, user_id, created_at: at, record: record() }] : [],
  )
  return [ended, logs, late, stored.objects, stored.items, made_records].map(textOf)
}

/** What each call adds to budgets. @returns undefined where none of them holds or uses any */
function sumsAt(calls: readonly EndedCall[]) {
  if (!calls.some(({ bookings, holds }) => bookings ?? holds)) return undefined
  return calls.flatMap((call, place) => sumsOf([call]).map(sum => ({ place, ...sum })))
}

const isBilled = (call: EndedCall): call is BilledCall => call.bill !== undefined

/** Every transaction writes the rows of hours in this order. */
const placesInOrder = (keys: readonly string[]) => new Map([...new Set(keys)].sort().map((key, place) => [key, place]))

/** Half characters, and U+0000, which PostgreSQL has in no text. */
const unstorable = /\\u(?:d[89a-f]|0000)/

function textOf(rows: readonly object[]): string {
  const text = JSON.stringify(rows)
  if (!unstorable.test(text)) return text
  return JSON.stringify(rows, (_, value) =>
    typeof value === 'string' ? value.toWellFormed().replaceAll('\0', '') : value,
  )
}

/** Of advisory locks with two numbers, which are apart from those with one. */
const CHANNEL_TURNS = 1

/**
 * Nodes take turns at a channel, since its row is in most groups of bills. A turn lasts as long as this statement, and
 * nothing else takes it: a row that is locked beyond it is locked by something else.
 */
const locks = `
  call as materialized (
    select * from json_to_recordset($1::text::json) as (
      place int, request_id text, user_id bigint, token_id bigint, channel_id bigint, at bigint, billed boolean,
      "order" int, hour bigint, model text, "group" text, calls bigint, prompt_tokens bigint, completion_tokens bigint,
      cache_read_tokens bigint, cache_write_tokens bigint, quota bigint)
  ), turn as materialized (
    select pg_advisory_xact_lock(${CHANNEL_TURNS}, id::int)
    from (select distinct channel_id as id from call where channel_id > 0 order by 1) channel
  ), wanted as materialized (
    select * from call where billed and (select count(*) from turn) >= 0
  ), free_user as materialized (
    select users.id from users join (select distinct user_id from wanted) one on one.user_id = users.id
    for no key update of users skip locked
  ), of_free_user as materialized (
    select * from wanted
    where user_id in (select id from free_user) or not exists (select 1 from users where id = user_id)
  ), free_token as materialized (
    select tokens.id from tokens join (select distinct token_id from of_free_user) one on one.token_id = tokens.id
    for no key update of tokens skip locked
  ), of_free_token as materialized (
    select * from of_free_user
    where token_id in (select id from free_token) or not exists (select 1 from tokens where id = token_id)
  ), free_channel as materialized (
    select channels.id from channels join (select distinct channel_id from of_free_token) one on one.channel_id = channels.id
    for no key update of channels skip locked
  ), free as materialized (
    select * from of_free_token
    where channel_id in (select id from free_channel) or not exists (select 1 from channels where id = channel_id)
  )`

const charges = `
  settled as (
    insert into settlements (request_id, created_time)
    select distinct on (request_id) request_id, at from free order by request_id, place
    on conflict do nothing
    returning request_id
  ), bill as materialized (
    select distinct on (request_id) free.* from free join settled using (request_id) order by request_id, place
  ), charged_user as (
    update users set
      quota = users.quota - share.quota,
      used_quota = users.used_quota + share.quota,
      request_count = users.request_count + share.calls,
      last_seen = greatest(users.last_seen, share.last_at)
    from (
      select user_id, count(*) as calls, sum(quota)::bigint as quota, max(at) as last_at from bill group by user_id
    ) share
    where users.id = share.user_id
    returning users.id as user_id, users.quota as balance, share.quota as charged
  ), charged_token as (
    update tokens set
      used_quota = used_quota + share.quota,
      remain_quota = case when unlimited_quota then remain_quota else remain_quota - share.quota end,
      status = case
        when not unlimited_quota and status = ${TokenStatus.enabled} and remain_quota - share.quota <= 0
        then ${TokenStatus.exhausted} else status end
    from (select token_id, sum(quota)::bigint as quota from bill group by token_id) share
    where tokens.id = share.token_id
    returning tokens.id, status
  ), exhausted as (
    select id from charged_token where status = ${TokenStatus.exhausted}
  ), credited_channel as (
    update channels set used_quota = used_quota + share.quota
    from (select channel_id, sum(quota)::bigint as quota from bill group by channel_id) share
    where channels.id = share.channel_id
  )`

const keys = 'user_id, hour, token_id, channel_id, model, "group"'
const sums = ['calls', 'prompt_tokens', 'completion_tokens', 'cache_read_tokens', 'cache_write_tokens', 'quota']
const logColumns =
  'user_id, type, created_at, username, token_id, token_name, model_name, "group", channel, is_stream, use_time, ' +
  'prompt_tokens, completion_tokens, quota, content, request_id, other'
const logFields =
  'place int, user_id bigint, type bigint, created_at bigint, username text, token_id bigint, token_name text, ' +
  'model_name text, "group" text, channel bigint, is_stream boolean, use_time bigint, prompt_tokens bigint, ' +
  'completion_tokens bigint, quota bigint, content text, request_id text, other text'
const storedColumns =
  'kind, id_hash, user_id, channel_id, key_hash, upstream_id, tokens, group_hash, created_time, expires_time'
const storedFields =
  'place int, kind text, id_hash text, user_id bigint, channel_id bigint, key_hash text, upstream_id text, ' +
  'tokens bigint, group_hash text, created_time bigint, expires_time bigint'
const renewed = ['channel_id', 'key_hash', 'upstream_id', 'tokens', 'group_hash', 'expires_time']

/** The change of a token that runs out has no node: this one reads it too, should the answer to the commit be lost. */
const records = `
  hours as (
    insert into usage_hourly (${keys}, ${sums.join()})
    select ${keys}, ${sums.map(name => `sum(${name})::bigint`).join()} from bill group by ${keys} order by min("order")
    on conflict (${keys}) do update set ${sums.map(name => `${name} = usage_hourly.${name} + excluded.${name}`).join()}
  ), late as (
    insert into usage_rolled (span, start, is_stale)
    select distinct span, start, true
    from json_to_recordset($3::text::json) as late (hour bigint, span bigint, start bigint)
    where hour in (select hour from bill)
    order by span, start
    on conflict (span, start) do update set is_stale = true
  ), logged as (
    insert into logs (${logColumns})
    select ${logColumns} from json_to_recordset($2::text::json) as log (${logFields})
    where place in (select place from bill) order by place
  ), stored as (
    insert into stored_objects (${storedColumns})
    select ${storedColumns} from json_to_recordset($4::text::json) as object (${storedFields})
    where place in (select place from bill)
    on conflict (kind, id_hash) do update set ${renewed.map(name => `${name} = excluded.${name}`).join()}
    where stored_objects.user_id = excluded.user_id
  ), items as (
    insert into stored_items (id_hash, response_hash, tokens)
    select id_hash, response_hash, tokens
    from json_to_recordset($5::text::json) as item (place int, id_hash bigint, response_hash text, tokens bigint)
    where place in (select place from bill)
    on conflict do nothing
  ), recorded as (
    insert into call_records (request_id, user_id, created_at, record)
    select request_id, user_id, created_at, record
    from json_to_recordset($6::text::json) as made (place int, request_id text, user_id bigint, created_at bigint, record text)
    where place in (select place from bill union all select place from call where not billed)
    order by place
    on conflict do nothing
  ), told as (
    insert into changes (transaction, node, name, key, created_time)
    select pg_current_xact_id()::text::bigint, '', 'token', id::text, cast(extract(epoch from now()) as bigint)
    from exhausted
  ), freed as (
    delete from reservations
    using (select request_id from call where not billed union all select request_id from free) done
    where reservations.request_id = done.request_id
  )`

/** Of windows no other transaction writes one whose user and channel are locked here. Budgets that are gone are left out. */
const bookings = `
  booking as materialized (
    select sum.* from json_to_recordset($7::text::json) as sum (
      place int, budget_id bigint, start bigint, "end" bigint, hour bigint, used bigint)
    join budgets on budgets.id = sum.budget_id
    where place in (select place from bill)
  ), booked as (
    insert into budget_windows (budget_id, start, "end", used)
    select budget_id, start, min("end"), sum(used)::bigint from booking where start >= 0
    group by budget_id, start order by budget_id, start
    on conflict (budget_id, start) do update set used = budget_windows.used + excluded.used
    returning budget_id, start, used
  ), budget_hour as (
    insert into budget_hours (budget_id, start, hour, used)
    select budget_id, start, hour, sum(used)::bigint from booking group by budget_id, start, hour
    on conflict (budget_id, hour, start) do update set used = budget_hours.used + excluded.used
  ), given_back as (
    delete from budget_holds
    using (select request_id from call where not billed union all select request_id from free) done
    where budget_holds.request_id = done.request_id
  )`

const answer = `
    'passed_over', (select coalesce(json_agg(place), '[]') from wanted where place not in (select place from free)),
    'balances', (select coalesce(json_agg(charged_user), '[]') from charged_user),
    'exhausted', (select coalesce(json_agg(id), '[]') from exhausted)`

const windows = `
    'windows', (select coalesce(json_agg(booked), '[]') from booked)`

const statement = `with ${[locks, charges, records].join()} select json_build_object(${answer}) as answer`
const withBudgets = `with ${[locks, charges, records, bookings].join()}
  select json_build_object(${[answer, windows].join()}) as answer`
