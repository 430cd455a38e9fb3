/** Callbacks of upstreams move a drawing forward; webhooks of callers receive its end. */
import { afterAll, afterEach, beforeEach, expect, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { db } from '../../../src/db/database.ts'
import { sendTaskHooks } from '../../../src/domain/tasks/index.ts'
import { taskHooks, tasks } from '../../../src/domain/tasks/table.ts'
import { now, shiftClock } from '../../../src/process/clock.ts'
import { setOption } from '../../support/app/options.ts'
import { setEnv } from '../../support/env.ts'
import { type Client, client, RICH } from '../../support/people/client.ts'
import { asked, begun, drawingOf, drawingRow, lookAround } from '../../support/people/drawings.ts'
import { expectCleanBooks, refundsOf, rowsOf } from '../../support/people/tasks.ts'
import { until } from '../../support/until.ts'
import { closeOtherDrawings, drawingChannel, drawn, midjourneyUpstream } from '../../support/upstream/midjourney.ts'

const maker = await midjourneyUpstream()
await drawingChannel(maker)

let ann: Client
beforeEach(async () => {
  maker.reset()
  ann = await client()
  await setOption('ServerAddress', ann.url)
  await setOption('MjNotifyEnabled', true)
})
afterEach(async () => {
  await expectCleanBooks()
  await closeOtherDrawings()
  await db.delete(taskHooks)
})

async function pushed(): Promise<{ id: string; address: string }> {
  const id = await begun(ann)
  return { id, address: maker.submits().at(-1)!.body.notifyHook }
}
const push = async (address: string, body: object) => {
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
  return (await fetch(address, init)).status
}

test('an upstream is given an address only where the operator or the channel says so', async () => {
  const { address } = await pushed()
  expect(address).toMatch(/\/callback\/midjourney\/\d+-[0-9a-f]{40}\/task_\w{32}$/)
  await drawingChannel(maker, { priority: 10, setting: JSON.stringify({ mj_notify: false }) })
  await begun(ann)
  await setOption('MjNotifyEnabled', false)
  await drawingChannel(maker, { priority: 20, setting: JSON.stringify({ mj_notify: true }) })
  await begun(ann, '/mj/submit/imagine', { prompt: 'A gate', notifyHook: 'https://a.example/' })
  const hooks = maker.submits().map(({ body }) => typeof body.notifyHook)
  expect(hooks).toEqual(['string', 'undefined', 'string'])
  expect(maker.submits().at(-1)!.body.notifyHook).not.toContain('a.example')
})

test('a drawing is moved forward by a callback, and never back', async () => {
  const { id, address } = await pushed()
  expect(await push(address, { id, status: 'IN_PROGRESS', progress: '50%' })).toBe(204)
  expect(await drawingOf(ann, id)).toMatchObject({ status: 'IN_PROGRESS', progress: '50%' })
  expect(await push(address, { id, status: 'SUBMITTED', progress: '0%' })).toBe(204)
  expect(await push(address, { id, status: 'DANCING' })).toBe(204)
  expect(await drawingOf(ann, id)).toMatchObject({ status: 'IN_PROGRESS', progress: '50%' })
})

test('an end that is pushed is asked for at the upstream, and moves money once', async () => {
  const { id, address } = await pushed()
  const failure = { id, status: 'FAILURE', failReason: 'no' }
  expect(await push(address, failure)).toBe(204)
  expect(await drawingOf(ann, id)).toMatchObject({ status: 'SUBMITTED' })
  expect(RICH - (await ann.balance())).toBe(50_000)
  maker.tells(id, failure)
  expect(await Promise.all([push(address, failure), push(address, failure), lookAround()])).toContain(204)
  expect(await push(address, { ...failure, ...drawn() })).toBe(204)
  expect(await drawingOf(ann, id)).toMatchObject({ status: 'FAILURE', failReason: 'no' })
  expect(await refundsOf(ann)).toHaveLength(1)
})

test("a wrong secret, another channel's, another task's state and what is none are nowhere", async () => {
  const { id, address } = await pushed()
  const state = { id, status: 'IN_PROGRESS', progress: '50%' }
  await drawingChannel(maker, { priority: 10 })
  const other = (await pushed()).address
  const secret = (url: string) => url.split('/').at(-2)!
  const task = address.split('/').at(-1)!
  const wrong = [
    ...[address.replace(/-\w/, '-x'), address.replace(/\/\d+-/, '/9999-'), address.replace(secret(address), 'secret')],
    ...[address.replace(secret(address), secret(other)), address.replace('midjourney', 'suno')],
    address.replace(task, 'task_unknown'),
  ]
  for (const url of wrong) expect(await push(url, state)).toBe(404)
  for (const body of [{ ...state, id: '1' }, {}, { id: 7 }]) expect(await push(address, body)).toBe(404)
  expect((await fetch(address, { method: 'POST', body: '<html>' })).status).toBe(400)
  expect(await drawingOf(ann, id)).toMatchObject({ status: 'SUBMITTED' })
})

test('a drawing whose call was lost and that shows up later is noted, and moves no money', async () => {
  maker.scripts.submit = answer => answer.reset()
  expect((await asked(ann, '/mj/submit/imagine', { prompt: 'A gate' })).status).toBe(504)
  const address = maker.submits()[0]!.body.notifyHook
  expect(await push(address, { id: 'late-1', status: 'IN_PROGRESS' })).toBe(204)
  expect(await push(address, { id: 'late-2', ...drawn() })).toBe(404)
  expect(await push(address, { id: 'late-1', ...drawn() })).toBe(204)
  expect(await rowsOf(ann)).toMatchObject([
    { status: 'FAILURE', upstream_id: 'late-1', charged: 0, outcome_unknown: true },
  ])
  expect(await ann.balance()).toBe(RICH)
})

test('a lost drawing does not take the id of another drawing', async () => {
  await pushed()
  maker.scripts.submit = answer => answer.reset()
  expect((await asked(ann, '/mj/submit/imagine', { prompt: 'A door' })).status).toBe(504)
  const address = maker.submits().at(-1)!.body.notifyHook
  const { upstream_id } = (await rowsOf(ann))[0]!
  expect(await push(address, { id: upstream_id, status: 'IN_PROGRESS' })).toBe(404)
  expect((await rowsOf(ann)).map(row => row.upstream_id)).toEqual([upstream_id, ''])
})

const received: { body: any; headers: Headers; text: string }[] = []
let status = 200
const receiver = Bun.serve({
  ...{ port: 0, hostname: '127.0.0.1' },
  async fetch(request) {
    const text = await request.text()
    received.push({ text, body: JSON.parse(text), headers: request.headers })
    return new Response('', { status })
  },
})
afterAll(() => receiver.stop(true))
const notifyHook = `http://127.0.0.1:${receiver.port}/hook`
const hooked = () => begun(ann, '/mj/submit/imagine', { prompt: 'A gate', state: 'mine', notifyHook })
const isEmpty = async () => (await db.select().from(taskHooks)).length === 0

test('the end of a drawing is sent to its caller, signed with the key', async () => {
  setEnv({ OUTBOUND_ALLOW: ['127.0.0.0/8'] })
  received.length = 0
  const [good, bad] = [await hooked(), await hooked()]
  maker.tells(good, drawn())
  maker.tells(bad, { status: 'FAILURE', failReason: 'no' })
  await lookAround()
  await until(async () => received.length === 2 && (await isEmpty()))
  const ends = received.map(({ body }) => [body.id, body.status, body.state, body.failReason])
  expect(ends.sort()).toEqual(
    [
      [good, 'SUCCESS', 'mine', ''],
      [bad, 'FAILURE', 'mine', 'no'],
    ].sort(),
  )
  for (const { headers, text } of received) {
    const [id, at] = [headers.get('webhook-id'), headers.get('webhook-timestamp')]
    const signature = createHmac('sha256', `sk-${ann.key}`).update(`${id}.${at}.${text}`).digest('base64')
    expect(headers.get('webhook-signature')).toBe(`v1,${signature}`)
    expect(Math.abs(Number(at) - now())).toBeLessThan(60)
  }
  expect(received.find(({ body }) => body.id === good)!.body.imageUrl).toStartWith(`${ann.url}/mj/image/task_`)
})

test('a caller who does not answer is tried three times', async () => {
  setEnv({ OUTBOUND_ALLOW: ['127.0.0.0/8'] })
  received.length = 0
  status = 500
  const id = await hooked()
  maker.tells(id, drawn())
  await lookAround()
  await until(async () => received.length === 1)
  for (const count of [2, 3]) {
    await until(async () => (await db.select().from(taskHooks)).every(({ next_time }) => next_time <= now() + 60))
    shiftClock(61)
    await sendTaskHooks()
    expect(received).toHaveLength(count)
  }
  expect(await isEmpty()).toBe(true)
  expect(new Set(received.map(({ headers }) => headers.get('webhook-id'))).size).toBe(1)
  status = 200
})

test('a caller in the own network, and one where callbacks are off, is not called', async () => {
  received.length = 0
  const id = await hooked()
  maker.tells(id, drawn())
  await lookAround()
  await until(async () => (await db.select().from(taskHooks)).every(({ next_time }) => next_time <= now() + 60))
  await setOption('MjNotifyEnabled', false)
  const silent = await hooked()
  maker.tells(silent, drawn())
  await lookAround()
  expect(await drawingRow(ann, silent)).toMatchObject({ hook: '', status: 'SUCCESS' })
  expect(await db.select().from(tasks).where(eq(tasks.hook, notifyHook))).not.toEqual([])
  expect(received).toEqual([])
})
