/** Videos of every maker, in every way in which they may end: charge, refund, and the answer to the client. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { resetCircuits } from '../../../src/domain/routing/health/breaker.ts'
import { shiftClock } from '../../../src/process/clock.ts'
import { resetStores } from '../../../src/process/stores.ts'
import { providers } from '../../../src/providers/index.ts'
import { setOption } from '../../support/app/options.ts'
import { setEnv } from '../../support/env.ts'
import { type Client, client, RICH } from '../../support/people/client.ts'
import { setUp } from '../../support/people/person.ts'
import { expectCleanBooks, refundsOf, rowsOf } from '../../support/people/tasks.ts'
import { asks, begun, looks, priced, SECOND_QUOTA, seen, videoChannel } from '../../support/people/videos.ts'
import { casesInTier } from '../../support/tier.ts'
import {
  FILM,
  type Scenario,
  type VideoServer,
  type VideoWire,
  videoServer,
} from '../../support/upstream/videos/server.ts'
import { videoWires } from '../../support/upstream/videos/wires.ts'

const DAY = 86_400

test('every declared maker of videos has a strict server of its own', () => {
  const declared = providers.filter(({ apis }) => apis.videos).map(({ type }) => type)
  expect([...new Set(videoWires.map(({ channel }) => channel.type))].sort((one, other) => one - other)).toEqual(
    declared,
  )
})

const isVideosAlone = ({ channel: { type } }: VideoWire) =>
  Object.keys(providers.find(one => one.type === type)!.apis).join() === 'videos'

interface Played {
  wire: VideoWire
  maker: VideoServer
  channel: number
}

const played = await Promise.all(
  videoWires.map(async wire => {
    const maker = await videoServer(wire)
    const { id: channel } = await videoChannel(wire, maker)
    return [`${wire.channel.type} ${wire.model}`, { wire, maker, channel }] as const
  }),
)
/** In the short tier a maker ends in one way of each kind, the next one in another. */
const some = <Way>(ways: readonly Way[], one: Played) =>
  casesInTier(
    ways,
    played.findIndex(([, each]) => each === one),
    1,
  )

let ann: Client
beforeEach(async () => {
  setEnv({ OUTBOUND_ALLOW: ['127.0.0.0/8'] })
  await priced(...videoWires.map(({ model }) => model))
  ann = await client()
})
afterEach(async () => {
  await expectCleanBooks()
  for (const [name, { maker, channel }] of played) {
    expect([name, ...maker.complaints]).toEqual([name])
    resetCircuits(channel)
  }
  resetStores()
})

function begins({ wire, maker }: Played, scenario: Scenario): Promise<string> {
  maker.plays(scenario)
  return begun(ann, { model: wire.model, ...wire.request })
}

async function isCharged(quota: number, refunds: number[] = []) {
  expect(RICH - (await ann.balance())).toBe(quota)
  expect((await refundsOf(ann)).map(({ delta }) => delta)).toEqual(refunds)
}

const fullOf = ({ wire }: Played) => wire.seconds * SECOND_QUOTA

const each = test.each(played)

each('%s, flip: charged once, handed out, and what is finished stays so', async (_, one) => {
  const id = await begins(one, 'flip')
  await isCharged(fullOf(one))
  await looks(1)
  expect(await seen(ann, id)).toMatchObject({ progress: expect.any(Number), error: null })
  await looks(5)
  expect(await seen(ann, id)).toMatchObject({
    ...{ status: 'completed', progress: 100, seconds: String(one.wire.seconds) },
  })
  await isCharged(fullOf(one))
  const file = await ann.get(`/v1/videos/${id}/content`)
  expect([file.status, file.headers.get('content-type')]).toEqual([200, 'video/mp4'])
  expect(Buffer.from(await file.arrayBuffer())).toEqual(FILM)
})

const failing = ['fail', 'empty', 'unknown'] as const
each('%s, failed, without a file or unknown: refunded once', async (_, one) => {
  for (const scenario of some(failing, one)) {
    ann = await client()
    const id = await begins(one, scenario)
    await looks(6)
    const error = { message: expect.stringMatching(/./) }
    expect(await seen(ann, id)).toMatchObject(
      hasFileByItself(one.wire, scenario) ? { status: 'completed' } : { status: 'failed', error },
    )
    await (hasFileByItself(one.wire, scenario) ? isCharged(fullOf(one)) : isCharged(0, [fullOf(one)]))
  }
})

const stuck = ['garbage', 'slow', 'late'] as const
each('%s, garbage, slow or late: refunded once at the deadline, and no money moves later', async (_, one) => {
  for (const scenario of some(stuck, one)) {
    ann = await client()
    const id = await begins(one, scenario)
    await looks(3)
    await isCharged(fullOf(one))
    shiftClock(DAY)
    await looks(1)
    expect(await seen(ann, id)).toMatchObject({ status: 'failed', error: { message: 'timeout' } })
    one.maker.plays('ok')
    await looks(3)
    expect(await seen(ann, id)).toMatchObject({ status: 'failed' })
    await isCharged(0, [fullOf(one)])
  }
})

each('%s, limited: the task stays as it is until it is read', async (_, one) => {
  const id = await begins(one, '429')
  await looks(2)
  await isCharged(fullOf(one))
  await looks(8)
  expect(await seen(ann, id)).toMatchObject({ status: 'completed' })
  await isCharged(fullOf(one))
})

each('%s, short: what was not made is refunded once', async (_, one) => {
  const id = await begins(one, 'short')
  await looks(6)
  expect(await seen(ann, id)).toMatchObject({ status: 'completed' })
  const half = fullOf(one) / 2
  await (one.wire.tells_no_length ? isCharged(2 * half) : isCharged(half, [half]))
})

each('%s, refused or lost: nothing is charged, and nothing is sent again', async (_, one) => {
  await setOption('RetryTimes', 3)
  for (const scenario of some(['reject', 'lost'] as const, one)) {
    ann = await client()
    const { wire, maker, channel } = one
    maker.plays(scenario)
    const { status } = await asks(ann, { model: wire.model, prompt: 'A gate', ...wire.request })
    expect(status).toBeGreaterThanOrEqual(400)
    expect(maker.submits()).toHaveLength(1)
    expect(await rowsOf(ann)).toMatchObject([{ status: 'FAILURE', charged: 0, outcome_unknown: scenario === 'lost' }])
    await isCharged(0)
    resetCircuits(channel)
  }
  await setOption('RetryTimes', 0)
})

test.each(played.filter(([, { wire }]) => isVideosAlone(wire)))(
  '%s: a channel test asks for no video',
  async (_, { wire, maker, channel }) => {
    maker.plays('ok')
    const model = encodeURIComponent(wire.model)
    const { success } = await (await setUp()).get(`/api/channel/test/${channel}?model=${model}`)
    expect(success).toBe(true)
    expect(maker.submits()).toEqual([])
  },
)

/** These makers hand a file out by the id of the task: they name no address. */
const hasFileByItself = ({ channel: { type } }: VideoWire, scenario: Scenario) =>
  scenario === 'empty' && [1, 20, 55, 59, 60].includes(type)
