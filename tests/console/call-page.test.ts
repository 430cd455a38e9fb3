// @engine both
/** The page of a call: its steps, attempts and choice, who sees what of it, how long it is kept and how large it is. */
import { beforeAll, beforeEach, expect, test } from 'bun:test'
import { eq, sql } from 'drizzle-orm'
import { jobsDone } from '../../src/cluster/leases.ts'
import { Role } from '../../src/contracts/account.ts'
import { ADMIN_CALLS_PATH, CALLS_PATH } from '../../src/contracts/call-record.ts'
import { db, postgres } from '../../src/db/database.ts'
import { dialect } from '../../src/db/dialect.ts'
import { count } from '../../src/db/fragments.ts'
import { decodeRecord } from '../../src/domain/logs/record-codec.ts'
import { callRecords, logs } from '../../src/domain/logs/table.ts'
import { replay } from '../../src/domain/routing/index.ts'
import { tick } from '../../src/jobs/schedule.ts'
import { holdClock, now, shiftClock } from '../../src/process/clock.ts'
import { logsOf } from '../support/app/logs.ts'
import { setOption } from '../support/app/options.ts'
import { type Client, client } from '../support/people/client.ts'
import { type Person, setUp, visitor } from '../support/people/person.ts'
import { dial, REALTIME_MODEL } from '../support/people/realtime-client.ts'
import { music } from '../support/people/tasks.ts'
import { until } from '../support/until.ts'
import { chat, refuses } from '../support/upstream/chat-scripts.ts'
import { answers } from '../support/upstream/endpoint-scripts.ts'
import { errorBody } from '../support/upstream/openai.ts'
import { realtimeUpstream } from '../support/upstream/realtime.ts'
import { channelTo, deleteChannels, served } from '../support/upstream/served-channel.ts'
import { sunoUpstream } from '../support/upstream/suno.ts'
import { sunoChannel } from '../support/upstream/suno-channel.ts'

const DAY = 86_400
const LOGS = '/app/logs/api-usage'
const usage = { prompt_tokens: 10, completion_tokens: 4 }

let root: Person
let ann: Client

beforeAll(async () => {
  root = await setUp()
})
beforeEach(async () => {
  await setOption('RetryTimes', 3)
  await deleteChannels()
  await db.delete(callRecords)
  ann = await client()
})

const pageOf = async (person: Person, path: string, language: 'en' | 'zh' = 'en') => {
  const response = await person.page(path, { language })
  return { status: response.status, html: await response.text() }
}
const rows = () => db.select().from(callRecords)
const stored = () => until(async () => (await rows())[0])

test('a call that two channels served has its attempts, its choice and its errors for administrators', async () => {
  const first = await served(answers(500, errorBody('Gears are "jammed"', 'server_error')), { priority: 9 })
  const second = await served(chat({ usage }), { weight: 3 })
  const third = await served(chat({ usage }), { weight: 1, max_input_tokens: 1 })
  await (await ann.stream({ messages: [{ role: 'user', content: 'A secret question' }] })).text()
  const { request_id, record } = await stored()
  const { html } = await pageOf(root, `${ADMIN_CALLS_PATH}/${request_id}`)
  for (const text of [
    first.name,
    second.name,
    third.name,
    'Gears are &quot;jammed&quot;',
    'takes shorter prompts only',
  ])
    expect(html).toContain(text)
  for (const text of ['Admit and read', 'Reserve quota', 'Connect, headers', 'First token', 'Last byte', 'Settle'])
    expect(html).toContain(text)
  expect(html).not.toContain('A secret question')
  expect(record).not.toContain('secret')
  expect((await pageOf(root, `${ADMIN_CALLS_PATH}/${request_id}`, 'zh')).html).toContain('首个 token')
  const { times, attempts, ...decision } = decodeRecord(record)!
  expect(attempts.map(({ channel, status }) => [channel, status])).toEqual([
    [first.id, 500],
    [second.id, 200],
  ])
  const [, { start, sent = 0, headers = 0, first: token = 0, end }] = attempts as [unknown, (typeof attempts)[0]]
  const moments = [times.admitted, times.reserving, times.reserved, start, sent, headers, token, end, times.written]
  expect(moments).toEqual(moments.toSorted((one, other) => one - other))
  expect(times.ended).toBeGreaterThanOrEqual(end)
  expect(replay(decision)).toEqual([first.id, second.id])
})

test('a user opens the own call from the log, without channels, and no other user does', async () => {
  const first = await served(answers(500, errorBody('Gears are jammed', 'server_error')), {
    priority: 9,
    name: 'alpha-x',
  })
  const second = await served(chat({ usage }), { name: 'beta-x' })
  await ann.chat()
  const { request_id } = await stored()
  const [entry] = await until(async () => ((await logsOf(ann.person)).length ? logsOf(ann.person) : undefined))
  const own = `${CALLS_PATH}/${request_id}`
  expect((await pageOf(ann.person, `${LOGS}?open=${entry.id}`)).html).toContain(`href="${own}"`)
  expect((await pageOf(root, `${LOGS}?open=${entry.id}`)).html).toContain(`href="${ADMIN_CALLS_PATH}/${request_id}"`)
  const { status, html } = await pageOf(ann.person, own)
  expect(status).toBe(200)
  expect(html).toContain('Attempt 2')
  for (const hidden of [first.name, second.name, 'Gears', 'Why this channel', '/admin/channels', '>500<'])
    expect(html).not.toContain(hidden)
  expect((await pageOf(ann.person, `${ADMIN_CALLS_PATH}/${request_id}`)).status).not.toBe(200)
  const bob = await visitor(Role.user)
  expect((await pageOf(bob, own)).status).toBe(404)
  expect((await pageOf(root, own)).status).toBe(404)
  expect((await pageOf(root, `${ADMIN_CALLS_PATH}/req_unknown`)).html).toContain('There is no record of this call')
  expect((await pageOf(root, `${ADMIN_CALLS_PATH}/${encodeURIComponent("x' or 1=1 --")}`)).status).toBe(404)
})

test('a call that every channel has failed has a page too, with the limit that it met', async () => {
  await setOption('RetryTimes', 1)
  for (const priority of [9, 8, 7]) await served(refuses(500), { priority })
  expect((await ann.chat()).status).not.toBe(200)
  const { request_id } = await stored()
  const { html } = await pageOf(root, `${ADMIN_CALLS_PATH}/${request_id}`)
  expect(html).toContain('No attempt was left after 2')
  expect(html).toContain('Attempt 2')
  expect(html).not.toContain('Attempt 3')
  await db.delete(logs).where(eq(logs.request_id, request_id))
  expect((await pageOf(root, `${ADMIN_CALLS_PATH}/${request_id}`)).status).toBe(200)
})

test('a record is deleted when it is older than CallRecordDays, not a second before, and 0 keeps none', async () => {
  await served(chat({ usage }))
  const start = now()
  holdClock(true)
  try {
    for (const count of [1, 2]) {
      await ann.chat()
      await until(async () => (await rows()).length === count)
      shiftClock(1)
    }
    const [first, second] = (await rows()).toSorted((one, other) => one.created_at - other.created_at)
    expect(second!.created_at - first!.created_at).toBe(1)
    shiftClock(second!.created_at + 14 * DAY - now())
    await tick()
    await jobsDone()
    expect((await rows()).map(row => row.request_id)).toEqual([second!.request_id])
  } finally {
    holdClock(false)
    shiftClock(start - now())
  }
  await setOption('CallRecordDays', 0)
  await ann.chat()
  await until(async () => (await logsOf(ann.person)).length === 3)
  expect(await rows()).toHaveLength(1)
  await setOption('CallRecordDays', 14)
})

test('each candidate of a call has the price of the group', async () => {
  const first = await served(chat({ usage }))
  await served(chat({ usage }), { max_input_tokens: 1 })
  await ann.chat()
  const { request_id } = await stored()
  const { html } = await pageOf(root, `${ADMIN_CALLS_PATH}/${request_id}`)
  const row = html.split('<tr').find(part => part.includes(first.name) && part.includes('role="row"'))!
  expect(html).toContain('Price × group')
  expect(row).toContain('$2.50 in, $10.00 out per 1M')
  expect(html.match(/\$2\.50 in, \$10\.00 out per 1M<\/td>/g)).toHaveLength(1)
})

test('a submitted task and a realtime session have pages with their attempts and steps', async () => {
  const singer = await sunoUpstream()
  const { id } = await sunoChannel(singer)
  expect((await ann.postTo('/suno/submit/music', music)).status).toBe(200)
  const task = await stored()
  const record = decodeRecord(task.record)!
  expect(record.attempts).toMatchObject([{ channel: id, status: 200 }])
  expect(record.candidates).toMatchObject([{ id }])
  const { admitted, reserving, reserved, ended } = record.times
  expect([admitted, reserving, reserved, ended]).toEqual(
    [admitted, reserving, reserved, ended].toSorted((one, other) => one - other),
  )
  expect(reserving).toBeGreaterThan(0)
  const { html } = await pageOf(root, `${ADMIN_CALLS_PATH}/${task.request_id}`)
  for (const text of ['suno_music', 'Why this channel', 'Attempt 1']) expect(html).toContain(text)

  singer.scripts.submit = answer => answer.json({ code: 'invalid_request', message: 'banned', data: null }, 400)
  await db.delete(callRecords)
  expect((await ann.postTo('/suno/submit/music', music)).status).toBe(400)
  const failed = await stored()
  expect(decodeRecord(failed.record)!.attempts).toMatchObject([{ channel: id, status: 400 }])

  const sessions = realtimeUpstream()
  const channel = await channelTo(sessions.url, { models: REALTIME_MODEL })
  await db.delete(callRecords)
  const call = await dial(ann)
  await call.seen('session.created')
  call.socket.close()
  const session = await stored()
  expect(decodeRecord(session.record)!.attempts).toMatchObject([{ channel: channel.id }])
  expect((await pageOf(root, `${ADMIN_CALLS_PATH}/${session.request_id}`)).html).toContain('Attempt 1')
  sessions.stop()
})

const COPIES = 8000
/** Bytes of the table with its indexes. */
const tableBytes =
  dialect === 'postgres'
    ? sql<number>`pg_total_relation_size('call_records')`
    : sql<number>`(select sum(pgsize) from dbstat where name like '%call_records%')`

test('a record takes at most 400 bytes in the database, at its greatest length too', async () => {
  const fleet = Array.from({ length: 20 }, (_, at) => ({ priority: 9 - (at % 2), weight: at }))
  for (const fields of fleet) await served(answers(500, errorBody('It failed again and again', 'error')), fields)
  await ann.chat()
  const { record, ...row } = await stored()
  expect(Buffer.byteLength(record)).toBeGreaterThan(150)
  for (let copy = 0; copy < COPIES; copy += 200) {
    const copies = Array.from({ length: 200 }, () => ({
      ...row,
      request_id: `req_${Bun.randomUUIDv7('base64url')}`,
      record,
    }))
    await db.insert(callRecords).values(copies)
  }
  // Pages of the index that were split hold room, 10 to 60 bytes an entry as chance has it.
  await postgres?.unsafe('reindex table call_records')
  const [size] = await db.select({ bytes: tableBytes }).from(callRecords).limit(1)
  expect(Number(size!.bytes) / COPIES).toBeLessThan(400)
  expect((await db.select({ entries: count() }).from(callRecords))[0]!.entries).toBe(COPIES + 1)
})
