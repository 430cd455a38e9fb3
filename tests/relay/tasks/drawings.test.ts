/** Drawings as tasks: what each answer costs, and what a failure gives back. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { resetCircuits } from '../../../src/domain/routing/health/breaker.ts'
import { logsOf } from '../../support/app/logs.ts'
import { setOption } from '../../support/app/options.ts'
import { type Client, client, RICH } from '../../support/people/client.ts'
import {
  asked,
  begun,
  DRAWING_QUOTA,
  drawingOf,
  drawingRow,
  lookAround,
  PICTURE,
  UPSCALE_QUOTA,
} from '../../support/people/drawings.ts'
import { expectCleanBooks, refundsOf, rowsOf } from '../../support/people/tasks.ts'
import { channelNow } from '../../support/upstream/channel.ts'
import {
  accepted,
  closeOtherDrawings,
  drawingChannel,
  drawn,
  MJ_SECRET,
  midjourneyUpstream,
} from '../../support/upstream/midjourney.ts'

const maker = await midjourneyUpstream()
const channel = await drawingChannel(maker)

let ann: Client
beforeEach(async () => {
  maker.reset()
  ann = await client()
})
afterEach(async () => {
  await expectCleanBooks()
  await closeOtherDrawings()
  resetCircuits(channel.id)
})

const spent = async () => RICH - (await ann.balance())
const answers = (body: object, status = 200) => {
  maker.scripts.submit = answer => answer.json(body, status)
}

test('a drawing is charged when it is accepted, watched while it is drawn, and told when it is finished', async () => {
  const { body } = await asked(ann, '/mj/submit/imagine', { prompt: 'A gate', state: 'mine', botType: 'NIJI_JOURNEY' })
  expect(body).toEqual({ code: 1, description: 'ok', result: expect.stringMatching(/^1718/), properties: {} })
  expect(maker.submits()).toEqual([
    {
      ...{ path: '/mj/submit/imagine', key: MJ_SECRET },
      body: { prompt: 'A gate', state: 'mine', botType: 'NIJI_JOURNEY' },
    },
  ])
  expect(await spent()).toBe(DRAWING_QUOTA)
  const id = body.result
  maker.tells(id, {
    status: 'IN_PROGRESS',
    progress: '35%',
    startTime: 1_700_000_005_000,
    imageUrl: 'https://a.b/1.png',
  })
  await lookAround()
  expect(await drawingOf(ann, id)).toMatchObject({
    ...{ id, action: 'IMAGINE', status: 'IN_PROGRESS', progress: '35%', startTime: 1_700_000_005_000 },
    ...{ prompt: 'A gate', state: 'mine', botType: 'NIJI_JOURNEY', failReason: '' },
  })
  maker.tells(id, drawn())
  await lookAround()
  const done = await drawingOf(ann, id)
  expect(done).toMatchObject({ status: 'SUCCESS', progress: '100%', finishTime: 1_700_000_090_000 })
  expect(done.buttons).toHaveLength(8)
  expect(done.properties).toEqual({ finalPrompt: 'a gate' })
  maker.tells(id, { status: 'IN_PROGRESS', progress: '40%' })
  await lookAround()
  expect(await drawingOf(ann, id)).toMatchObject({ status: 'SUCCESS' })
  const [entry] = await logsOf(ann.person)
  expect(entry).toMatchObject({ model_name: 'mj_imagine', quota: DRAWING_QUOTA, channel: channel.id })
  expect(maker.complaints).toEqual([])
})

test.each([
  ['with a reason', { status: 'FAILURE', failReason: `banned at ${MJ_SECRET}` }, 'banned at ***'],
  ['by a cancellation', { status: 'CANCEL' }, 'cancelled at the upstream'],
  ['by a reason alone', { status: 'IN_PROGRESS', progress: '90%', failReason: 'moderated' }, 'moderated'],
  ['without a file', { status: 'SUCCESS', progress: '100%', imageUrl: 'nowhere' }, 'finished without a result'],
])('a drawing that ends %s is refunded once', async (_, state, failReason) => {
  const id = await begun(ann)
  maker.tells(id, state)
  await Promise.all([lookAround(), lookAround()])
  await lookAround()
  expect(await drawingOf(ann, id)).toMatchObject({ status: 'FAILURE', progress: '100%', failReason })
  expect(await spent()).toBe(0)
  expect(await refundsOf(ann)).toMatchObject([{ delta: DRAWING_QUOTA }])
})

test.each([
  [22, { numberOfQueues: 3 }, 'QUEUED', 'SUBMITTED'],
  [21, {}, 'SUBMITTED', 'SUBMITTED'],
  [21, { status: 'SUCCESS' }, 'SUBMITTED', 'SUBMITTED'],
  [21, { status: 'IN_PROGRESS', imageUrl: 'https://cdn.example/half.png' }, 'SUBMITTED', 'SUBMITTED'],
  [21, { status: 'SUCCESS', imageUrl: 'https://cdn.example/known.png' }, 'SUCCESS', 'SUCCESS'],
])('code %i with %j is charged, and is code 1 for the client', async (code, properties, status) => {
  const id = maker.begin()
  answers(accepted(id, code, properties))
  expect((await asked(ann, '/mj/submit/imagine', { prompt: 'A gate' })).body).toMatchObject({ code: 1, result: id })
  expect(await spent()).toBe(DRAWING_QUOTA)
  expect(await drawingRow(ann, id)).toMatchObject({ status, charged: DRAWING_QUOTA, answer: { code } })
})

test.each([
  [4, 200, 'prompt is bad'],
  [24, 200, 'a banned word'],
  [23, 200, 'the queue is full'],
  [9, 200, 'failed'],
  [3, 200, 'no such task'],
  [30, 200, 'overloaded'],
  [4, 400, 'prompt is bad'],
  [77, 200, 'who knows'],
])('a submit refused with code %i and status %i is one row that costs nothing', async (code, status, description) => {
  const properties = { promptEn: 'gate', bannedWord: 'gate', host: 'hidden' }
  answers({ code, description, result: null, properties }, status)
  const told = await asked(ann, '/mj/submit/imagine', { prompt: 'A gate' })
  expect(told).toEqual({
    status,
    body: { code, description, result: null, properties: { promptEn: 'gate', bannedWord: 'gate' } },
  })
  expect(await rowsOf(ann)).toMatchObject([
    { status: 'FAILURE', fail_reason: description, charged: 0, refunded: 0, answer: { code, description } },
  ])
  expect(await spent()).toBe(0)
})

test('a refusal for want of an account closes the channel, by the rules of closing', async () => {
  await setOption('AutomaticDisableChannelEnabled', true)
  const empty = await midjourneyUpstream()
  empty.scripts.submit = answer => answer.json(accepted(null, 3, {}))
  const other = await drawingChannel(empty, { priority: 10, auto_ban: 1 })
  await asked(ann, '/mj/submit/imagine', { prompt: 'A gate' })
  expect((await channelNow(other.id)).status).toBe(1)
  empty.scripts.submit = answer => answer.json({ ...accepted(null, 3), description: 'No available account instance' })
  await asked(ann, '/mj/submit/imagine', { prompt: 'A gate' })
  expect((await channelNow(other.id)).status).toBe(3)
  await setOption('AutomaticDisableChannelEnabled', false)
  await begun(ann)
})

test('a drawing that another channel refuses goes to the next, and one that was sent to no other', async () => {
  await setOption('RetryTimes', 2)
  const full = await midjourneyUpstream()
  full.scripts.submit = answer => answer.json(accepted(null, 23))
  await drawingChannel(full, { priority: 10 })
  await begun(ann)
  expect(maker.submits()).toHaveLength(1)
  full.scripts.submit = answer => answer.reset()
  const { status, body } = await asked(ann, '/mj/submit/imagine', { prompt: 'A gate' })
  expect({ status, body }).toMatchObject({ status: 504, body: { code: 5 } })
  expect(maker.submits()).toHaveLength(1)
  expect((await rowsOf(ann)).at(-1)).toMatchObject({ outcome_unknown: true, charged: 0 })
  expect(await spent()).toBe(DRAWING_QUOTA)
  await setOption('RetryTimes', 0)
})

test.each([
  ['/mj/submit/describe', { base64: PICTURE }, UPSCALE_QUOTA],
  ['/mj/submit/blend', { base64Array: [PICTURE, PICTURE], dimensions: 'SQUARE' }, DRAWING_QUOTA],
  ['/mj/submit/shorten', { prompt: 'A very long gate' }, DRAWING_QUOTA],
  ['/mj/submit/edits', { prompt: 'A red gate', image: PICTURE }, DRAWING_QUOTA],
  ['/mj/submit/video', { prompt: 'It opens', image: 'https://a.example/b.png', motion: 'high' }, 400_000],
  ['/mj/insight-face/swap', { sourceBase64: PICTURE, targetBase64: PICTURE }, UPSCALE_QUOTA],
])('%s is a task with a price of its own, whose pictures are not kept', async (path, body, quota) => {
  const id = await begun(ann, path, body)
  expect(await spent()).toBe(quota)
  expect(maker.submits()[0]).toMatchObject({ path, body })
  expect(JSON.stringify((await drawingRow(ann, id)).input)).not.toContain('base64,')
  expect(maker.complaints).toEqual([])
})

test('a description is a text, and its failure to be one a failure', async () => {
  const id = await begun(ann, '/mj/submit/describe', { base64: PICTURE })
  maker.tells(id, { action: 'DESCRIBE', status: 'SUCCESS', promptEn: '1. a gate', progress: '100%' })
  await lookAround()
  expect(await drawingOf(ann, id)).toMatchObject({ status: 'SUCCESS', promptEn: '1. a gate' })
})

test('a face is charged on code 1 alone', async () => {
  answers(accepted(maker.begin(), 22))
  const face = { sourceBase64: PICTURE, targetBase64: PICTURE }
  expect((await asked(ann, '/mj/insight-face/swap', face)).body.code).toBe(1)
  expect(await spent()).toBe(0)
  maker.reset()
  await begun(ann, '/mj/insight-face/swap', face)
  expect(await spent()).toBe(UPSCALE_QUOTA)
})

test('an upload is done at once', async () => {
  answers(accepted(['https://cdn.example/a.png'], 1))
  const { body } = await asked(ann, '/mj/submit/upload-discord-images', { base64Array: [PICTURE] })
  expect(body).toMatchObject({ code: 1, result: ['https://cdn.example/a.png'] })
  expect(await rowsOf(ann)).toMatchObject([
    { status: 'SUCCESS', progress: 100, charged: UPSCALE_QUOTA, action: 'UPLOAD' },
  ])
  await lookAround()
  expect(await spent()).toBe(UPSCALE_QUOTA)
})

test("an id that was used before is no new task, and never shows another user's", async () => {
  const bob = await client()
  const id = await begun(ann)
  for (const code of [1, 21]) {
    answers(accepted(id, code))
    expect((await asked(bob, '/mj/submit/imagine', { prompt: 'A gate' })).status).toBe(502)
  }
  answers(accepted(id, 1))
  expect((await asked(ann, '/mj/submit/imagine', { prompt: 'A gate' })).status).toBe(502)
  expect(await bob.balance()).toBe(RICH)
  expect(await spent()).toBe(DRAWING_QUOTA)
  answers(accepted(id, 21))
  expect(await begun(ann)).toBe(id)
  expect(await spent()).toBe(2 * DRAWING_QUOTA)
  expect((await drawingRow(ann, id)).repeats_id).toBe(true)
})

test('a drawing that takes longer than an hour is failed and refunded', async () => {
  const id = await begun(ann)
  await setOption('DrawingTimeoutMinutes', 1)
  const other = await begun(ann)
  await lookAround()
  expect(await drawingOf(ann, other)).toMatchObject({ status: 'FAILURE', failReason: 'timeout' })
  expect(await drawingOf(ann, id)).toMatchObject({ status: 'SUBMITTED' })
  await setOption('DrawingTimeoutMinutes', 60)
  expect(await spent()).toBe(DRAWING_QUOTA)
})
