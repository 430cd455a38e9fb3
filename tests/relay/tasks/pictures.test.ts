/** Pictures as tasks: answered at once, made once, charged with the picture, and not without one. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { db } from '../../../src/db/database.ts'
import { resetCircuits } from '../../../src/domain/routing/health/breaker.ts'
import { fileAddressOf, lookAfterTasks } from '../../../src/domain/tasks/index.ts'
import { tasks } from '../../../src/domain/tasks/table.ts'
import { shiftClock } from '../../../src/process/clock.ts'
import { logsOf } from '../../support/app/logs.ts'
import { setOption } from '../../support/app/options.ts'
import { type Client, client, RICH } from '../../support/people/client.ts'
import { setUp } from '../../support/people/person.ts'
import { expectCleanBooks, refundsOf, rowOf, rowsOf } from '../../support/people/tasks.ts'
import { told } from '../../support/people/videos.ts'
import { PICTURE_MODEL, PNG, picture, pictureChannel, pictureUpstream } from '../../support/upstream/pictures.ts'

const maker = await pictureUpstream()
const channel = await pictureChannel(maker)

/** 0.04 USD. */
const QUOTA = 20_000

let ann: Client
beforeEach(async () => {
  maker.plays()
  await setOption('ModelPrice', JSON.stringify({ [PICTURE_MODEL]: 0.04 }))
  ann = await client()
})
afterEach(async () => {
  await setOption('RetryTimes', 0)
  resetCircuits(channel.id)
  await expectCleanBooks()
})

const body = { model: PICTURE_MODEL, prompt: 'A toll gate at night', size: '1024x1024', response_format: 'b64_json' }
const submit = async (who = ann, fields: object = {}) =>
  told(await who.postTo('/v1/images/generations?async=1', { ...body, ...fields }))
const at = async (id: string, who = ann) => told(await who.get(`/v1/images/generations/${id}`))

/** Polls until it has ended. */
async function ended(id: string) {
  for (let times = 0; times < 200; times++) {
    const { body } = await at(id)
    if (body.status !== 'in_progress') return body
    await Bun.sleep(10)
  }
  throw new Error('the picture does not end')
}

test('a picture is begun at once, made once, and charged with its file', async () => {
  const gate = Promise.withResolvers<void>()
  maker.plays(answer => gate.promise.then(() => answer.json(picture)))
  const { status, headers, body: begun } = await submit(ann, { stream: true })
  expect(status).toBe(202)
  expect(headers.get('retry-after')).toBe('3')
  expect(begun).toMatchObject({ object: 'image.generation', status: 'in_progress', model: PICTURE_MODEL, error: null })
  expect(begun.id).toMatch(/^task_\w{32}$/)
  expect(RICH - (await ann.balance())).toBe(0)
  expect((await at(begun.id)).body).toMatchObject({ status: 'in_progress' })
  await lookAfterTasks(new AbortController().signal)
  gate.resolve()
  const done = await ended(begun.id)
  expect(done).toMatchObject({
    ...{ status: 'completed', progress: 100, completed_at: expect.any(Number) },
    data: [{ ...picture.data[0], url: expect.stringContaining(`/v1/tasks/${begun.id}/files/image-0?expires=`) }],
  })
  expect(maker.bodies).toHaveLength(1)
  expect(maker.bodies[0]).toMatchObject(body)
  expect(RICH - (await ann.balance())).toBe(QUOTA)
  expect(await rowOf(begun.id)).toMatchObject({
    ...{ platform: 'image', action: 'generate', charged: QUOTA, refunded: 0, channel_id: channel.id },
    price_basis: { price: { unit: 'call', price: 0.04 }, choice: { units: 1 } },
  })
  const [entry] = await logsOf(ann.person)
  expect(entry).toMatchObject({ model_name: PICTURE_MODEL, quota: QUOTA, channel: channel.id })
})

test('a task costs what the same picture costs at once', async () => {
  const fields = { size: '1792x1024', quality: 'hd' }
  await ann.postTo('/v1/images/generations?async=0', { ...body, ...fields })
  const cost = RICH - (await ann.balance())
  expect(cost).toBe(3 * QUOTA)
  await ended((await submit(ann, fields)).body.id)
  expect(RICH - (await ann.balance())).toBe(2 * cost)
})

test('the file is for its owner, by key, by session and by a signed address', async () => {
  const { id } = (await submit()).body
  const { data } = await ended(id)
  const path = `/v1/tasks/${id}/files/image-0`
  const answers = [
    await ann.get(path),
    await fetch(ann.url + path, { headers: { cookie: ann.person.cookie } }),
    await fetch(data[0].url),
    await fetch(ann.url + fileAddressOf({ task_id: id }, 'image-0')),
  ]
  for (const answer of answers) {
    expect(answer.status).toBe(200)
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      ...{ 'content-type': 'image/png', 'x-content-type-options': 'nosniff' },
      ...{ 'content-security-policy': "default-src 'none'; sandbox", 'accept-ranges': 'bytes' },
      'content-disposition': `inline; filename="${id}-image-0.png"`,
    })
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(PNG)
  }
  const part = await ann.get(path, { range: 'bytes=1-3' })
  expect([part.status, await part.text()]).toEqual([206, 'PNG'])
  const bob = await client()
  expect((await bob.get(path)).status).toBe(404)
  expect((await fetch(ann.url + path)).status).toBe(401)
  expect((await fetch(ann.url + fileAddressOf({ task_id: id }, 'image-1'))).status).toBe(404)
  expect((await at(id, bob)).status).toBe(404)
  const signed = ann.url + fileAddressOf({ task_id: id }, 'image-0')
  expect((await fetch(signed.replace('image-0', 'image-1'))).status).toBe(401)
  shiftClock(86_400 + 1)
  expect((await fetch(signed)).status).toBe(401)
})

test('a refused picture costs nothing, and tells why', async () => {
  maker.plays(answer => answer.json({ error: { message: 'the prompt is not allowed', code: 'moderation' } }, 400))
  const { id } = (await submit()).body
  expect(await ended(id)).toMatchObject({
    status: 'failed',
    error: { code: 'image_generation_failed', message: 'the prompt is not allowed' },
  })
  expect(await ann.balance()).toBe(RICH)
  expect(await rowOf(id)).toMatchObject({ status: 'FAILURE', charged: 0, outcome_unknown: false })
  expect(await refundsOf(ann)).toEqual([])
})

test('an answer without a picture is a failure that costs nothing', async () => {
  maker.plays(answer => answer.json({ created: 1, data: [] }))
  const { id } = (await submit()).body
  expect(await ended(id)).toMatchObject({ status: 'failed' })
  expect(await ann.balance()).toBe(RICH)
})

test('a sent request is never repeated: its outcome is unknown', async () => {
  await setOption('RetryTimes', 3)
  const other = await pictureChannel(maker)
  maker.plays(answer => answer.reset())
  const { id } = (await submit()).body
  expect(await ended(id)).toMatchObject({ status: 'failed', error: { message: 'outcome unknown' } })
  expect(maker.bodies).toHaveLength(1)
  expect(await rowOf(id)).toMatchObject({ charged: 0, outcome_unknown: true })
  expect(await ann.balance()).toBe(RICH)
  await (await setUp()).delete(`/api/channel/${other.id}`)
})

test('a channel that cannot be reached is passed over', async () => {
  await setOption('RetryTimes', 2)
  const other = await pictureChannel({ url: 'http://127.0.0.1:1' }, { priority: 10 })
  const { id } = (await submit()).body
  expect(await ended(id)).toMatchObject({ status: 'completed' })
  expect(await rowOf(id)).toMatchObject({ channel_id: channel.id, charged: QUOTA })
  await (await setUp()).delete(`/api/channel/${other.id}`)
})

test('without balance, price or prompt nothing is begun', async () => {
  const poor = await client({}, QUOTA - 1)
  expect((await submit(poor)).status).toBe(403)
  expect((await submit(ann, { prompt: '' })).status).toBe(400)
  expect((await submit(ann, { size: '1x1' })).status).toBe(400)
  expect([await rowsOf(poor), await rowsOf(ann), maker.bodies]).toEqual([[], [], []])
})

test('a picture whose node died is failed, and costs nothing', async () => {
  const { id } = (await submit()).body
  await ended(id)
  const { id: _, ...row } = await rowOf(id)
  const lost = { task_id: 'task_lost_picture', status: 'NOT_START' as const, node: 'a-dead-node', charged: 0 }
  await db.insert(tasks).values({ ...row, ...lost, charged_time: 0, next_look_ms: null, result: null })
  await lookAfterTasks(new AbortController().signal)
  expect(await rowOf('task_lost_picture')).toMatchObject({ status: 'FAILURE', outcome_unknown: true, charged: 0 })
  await db.delete(tasks).where(eq(tasks.task_id, 'task_lost_picture'))
})

test('a picture is begun in the first group of its key that has a channel, and charged there', async () => {
  ann = await client({ group: 'vip', fallback_groups: 'default' })
  const { status, body: begun } = await submit()
  expect(status).toBe(202)
  expect(await ended(begun.id)).toMatchObject({ status: 'completed' })
  expect(await rowOf(begun.id)).toMatchObject({ group: 'default', charged: QUOTA })
  const [entry] = await logsOf(ann.person)
  expect([entry.group, entry.other.passed_over]).toEqual([
    'default',
    [{ group: 'vip', model: PICTURE_MODEL, why: 'no_channel' }],
  ])
})

test('a picture that its group has failed goes to no other: its task has the group and its price', async () => {
  const other = await pictureChannel(maker, { group: 'vip' })
  maker.plays(answer => answer.json({ error: { message: 'no' } }, 500))
  ann = await client({ group: 'vip', fallback_groups: 'default' })
  const { body: begun } = await submit()
  expect(await ended(begun.id)).toMatchObject({ status: 'failed' })
  expect(maker.bodies).toHaveLength(1)
  expect(await rowOf(begun.id)).toMatchObject({ group: 'vip', charged: 0 })
  await (await setUp()).delete(`/api/channel/${other.id}`)
})
