/** Buttons of drawings: where they lead, what they cost, and the windows that they open. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { resetCircuits } from '../../../src/domain/routing/health/breaker.ts'
import { type Client, client, RICH } from '../../support/people/client.ts'
import {
  asked,
  begun,
  DRAWING_QUOTA,
  drawingOf,
  drawingRow,
  finished,
  lookAround,
  PICTURE,
  UPSCALE_QUOTA,
} from '../../support/people/drawings.ts'
import { setUp } from '../../support/people/person.ts'
import { expectCleanBooks, refundsOf } from '../../support/people/tasks.ts'
import { accepted, closeOtherDrawings, drawingChannel, midjourneyUpstream } from '../../support/upstream/midjourney.ts'

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
const answers = (body: object) => {
  maker.scripts.submit = answer => answer.json(body)
}

const ids = (id: string) => ({ taskId: id })
test.each([
  ['/mj/submit/change', { action: 'UPSCALE', index: 1 }, 'mj_upscale', UPSCALE_QUOTA],
  ['/mj/submit/change', { action: 'VARIATION', index: 4 }, 'mj_variation', DRAWING_QUOTA],
  ['/mj/submit/change', { action: 'REROLL' }, 'mj_reroll', DRAWING_QUOTA],
  ['/mj/submit/action', { customId: 'MJ::JOB::upsample::2::u' }, 'mj_upscale', UPSCALE_QUOTA],
  ['/mj/submit/action', { customId: 'MJ::JOB::upsample_v6_2x_subtle::1::u::SOLO' }, 'mj_upscale', UPSCALE_QUOTA],
  ['/mj/submit/action', { customId: 'MJ::JOB::variation::3::u' }, 'mj_variation', DRAWING_QUOTA],
  ['/mj/submit/action', { customId: 'MJ::JOB::high_variation::1::u::SOLO' }, 'mj_high_variation', DRAWING_QUOTA],
  ['/mj/submit/action', { customId: 'MJ::JOB::low_variation::1::u::SOLO' }, 'mj_low_variation', DRAWING_QUOTA],
  ['/mj/submit/action', { customId: 'MJ::JOB::pan_left::1::u::SOLO' }, 'mj_pan', DRAWING_QUOTA],
  ['/mj/submit/action', { customId: 'MJ::JOB::reroll::0::u::SOLO' }, 'mj_reroll', DRAWING_QUOTA],
  ['/mj/submit/action', { customId: 'MJ::Outpaint::50::1::u::SOLO' }, 'mj_zoom', DRAWING_QUOTA],
  ['/mj/submit/video', { motion: 'low', index: 1 }, 'mj_video', 400_000],
])('%s with %j continues a drawing under its own price', async (path, body, model, quota) => {
  const id = await finished(ann, maker)
  const other = await begun(ann, path, { ...ids(id), ...body })
  expect(await spent()).toBe(DRAWING_QUOTA + quota)
  const origin = await drawingRow(ann, id)
  expect(await drawingRow(ann, other)).toMatchObject({ model, charged: quota, origin_id: origin.task_id })
  expect((await drawingOf(ann, other)).prompt).toBe('A gate')
  expect(maker.submits().at(-1)!.body).toEqual({ taskId: id, ...body })
})

test.each(['u2', 'V4', 'r'])('the simple change %s continues a drawing', async change => {
  const id = await finished(ann, maker)
  await begun(ann, '/mj/submit/simple-change', { content: `${id} ${change}` })
  expect(maker.submits().at(-1)).toMatchObject({
    path: '/mj/submit/simple-change',
    body: { content: `${id} ${change}` },
  })
})

test('a window opens for nothing, and what is filled into it is charged, under the same id', async () => {
  const id = await finished(ann, maker)
  const window = maker.begin()
  maker.tells(window, { status: 'MODAL' })
  for (const customId of ['MJ::Inpaint::1::u::SOLO', 'MJ::CustomZoom::u']) {
    answers(accepted(window, 21))
    const opened = await asked(ann, '/mj/submit/action', { taskId: id, customId })
    expect(opened.body).toMatchObject({ code: 21, result: window })
    expect(await spent()).toBe(DRAWING_QUOTA)
    expect(await drawingOf(ann, window)).toMatchObject({ status: 'MODAL' })
  }
  answers(accepted(window, 1))
  await begun(ann, '/mj/submit/modal', { taskId: window, prompt: 'with ivy', maskBase64: PICTURE })
  expect(await spent()).toBe(2 * DRAWING_QUOTA)
  expect(await drawingRow(ann, window)).toMatchObject({ action: 'MODAL', charged: DRAWING_QUOTA, repeats_id: true })
  maker.tells(window, { status: 'FAILURE', failReason: 'no ivy' })
  await lookAround()
  await lookAround()
  expect(await drawingOf(ann, window)).toMatchObject({ action: 'MODAL', status: 'FAILURE' })
  expect(await spent()).toBe(DRAWING_QUOTA)
  expect(await refundsOf(ann)).toHaveLength(1)
})

test('a follow-up goes to the channel and key of its origin, or nowhere', async () => {
  const root = await setUp()
  const id = await finished(ann, maker)
  const other = await midjourneyUpstream()
  await drawingChannel(other, { priority: 100 })
  await begun(ann, '/mj/submit/change', { taskId: id, action: 'UPSCALE', index: 1 })
  expect(other.submits()).toEqual([])
  await root.put('/api/channel/', { id: channel.id, status: 2 })
  for (const [path, body] of [
    ['/mj/submit/change', { taskId: id, action: 'UPSCALE', index: 1 }],
    ['/mj/submit/modal', { taskId: id }],
  ] as const)
    expect(await asked(ann, path, body)).toMatchObject({
      status: 400,
      body: { code: 4, description: 'the channel of the task is disabled' },
    })
  expect((await ann.get(`/mj/task/${id}/image-seed`)).status).toBe(400)
  await root.put('/api/channel/', { id: channel.id, status: 1 })
  expect(other.submits()).toEqual([])
})
