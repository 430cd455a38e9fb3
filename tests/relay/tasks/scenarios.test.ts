/** Drawings and songs in every way in which they may end: charge, refund, and how often their maker is asked for them. */
import { afterEach, expect, test } from 'bun:test'
import { resetCircuits } from '../../../src/domain/routing/health/breaker.ts'
import { shiftClock } from '../../../src/process/clock.ts'
import { resetStores } from '../../../src/process/stores.ts'
import { setOption } from '../../support/app/options.ts'
import { type Client, client, RICH } from '../../support/people/client.ts'
import { DRAWING_QUOTA, lookAround } from '../../support/people/drawings.ts'
import { expectCleanBooks, MUSIC_QUOTA, music, refundsOf, rowsOf } from '../../support/people/tasks.ts'
import type { ScriptedAnswer } from '../../support/upstream/http-server.ts'
import { drawingChannel, drawn, midjourneyUpstream } from '../../support/upstream/midjourney.ts'
import { song, success, sunoUpstream } from '../../support/upstream/suno.ts'
import { sunoChannel } from '../../support/upstream/suno-channel.ts'

const [painter, singer] = [await midjourneyUpstream(), await sunoUpstream()]
const channels = [await drawingChannel(painter), await sunoChannel(singer)]

/** What the scenarios need to know of a platform. */
interface Platform {
  name: string
  quota: number
  /** The submit of one task. */
  path: string
  body: object
  maker: Pick<typeof painter, 'reset' | 'submits' | 'complaints'>
  scripts: {
    submit(script: (answer: ScriptedAnswer) => unknown): void
    fetch(script: (answer: ScriptedAnswer) => unknown): void
  }
  tells: (id: string, state: object) => void
  refusal: object
  finished: object
  /** An answer about no task. */
  nothing: object
}

const platforms: Platform[] = [
  {
    ...{ name: 'Midjourney', quota: DRAWING_QUOTA, path: '/mj/submit/imagine', body: { prompt: 'A gate' } },
    ...{ maker: painter, tells: painter.tells, finished: drawn(), nothing: [] },
    scripts: {
      submit: script => Object.assign(painter.scripts, { submit: script }),
      fetch: script => Object.assign(painter.scripts, { list: script }),
    },
    refusal: { code: 24, description: 'banned prompt', result: null, properties: { bannedWord: 'gate' } },
  },
  {
    ...{ name: 'Suno', quota: MUSIC_QUOTA, path: '/suno/submit/music', body: music },
    ...{ maker: singer, tells: singer.tells, nothing: success([]) },
    finished: { status: 'SUCCESS', progress: '100%', data: [song()] },
    scripts: {
      submit: script => Object.assign(singer.scripts, { submit: script }),
      fetch: script => Object.assign(singer.scripts, { fetch: script }),
    },
    refusal: { code: 'invalid_request', message: 'banned prompt', data: null },
  },
]

afterEach(async () => {
  await expectCleanBooks()
  for (const { id } of channels) resetCircuits(id)
  for (const { maker } of platforms) {
    expect(maker.complaints).toEqual([])
    maker.reset()
  }
  resetStores()
})

const DAY = 86_400
const each = test.each(platforms.map(platform => [platform.name, platform] as const))

/** A task of a client who has no other. */
async function begin({ path, body }: Platform) {
  const ann = await client()
  await (await ann.postTo(path, body)).text()
  const row = async () => (await rowsOf(ann))[0]!
  return { ann, row, upstream_id: (await row()).upstream_id }
}

async function rounds(times: number) {
  for (let round = 0; round < times; round++) await lookAround()
}

async function isPaid(ann: Client, quota: number, refunds: number[] = []) {
  expect(RICH - (await ann.balance())).toBe(quota)
  expect((await refundsOf(ann)).map(({ delta }) => delta)).toEqual(refunds)
}

each('%s, ok and flip: charged once, and what is finished stays so', async (_, platform) => {
  const { ann, row, upstream_id } = await begin(platform)
  platform.tells(upstream_id, { status: 'IN_PROGRESS', progress: '35%' })
  await rounds(1)
  expect(await row()).toMatchObject({ status: 'IN_PROGRESS', progress: 35 })
  await isPaid(ann, platform.quota)
  platform.tells(upstream_id, platform.finished)
  await rounds(1)
  platform.tells(upstream_id, { status: 'IN_PROGRESS', progress: '40%' })
  await rounds(2)
  expect(await row()).toMatchObject({ status: 'SUCCESS', progress: 100, charged: platform.quota, refunded: 0 })
  await isPaid(ann, platform.quota)
})

each('%s, fail: refunded once, with its reason', async (_, platform) => {
  const { ann, row, upstream_id } = await begin(platform)
  platform.tells(upstream_id, { status: 'FAILURE', fail_reason: 'too loud', failReason: 'too loud' })
  await rounds(3)
  expect(await row()).toMatchObject({ status: 'FAILURE', fail_reason: 'too loud', refunded: platform.quota })
  await isPaid(ann, 0, [platform.quota])
})

each('%s, unknown: refunded once at the third time in a row', async (_, platform) => {
  const { ann, row } = await begin(platform)
  platform.scripts.fetch(answer => answer.json(platform.nothing))
  await rounds(2)
  await isPaid(ann, platform.quota)
  await rounds(3)
  expect(await row()).toMatchObject({ status: 'FAILURE', refunded: platform.quota })
  await isPaid(ann, 0, [platform.quota])
})

each('%s, reject and lost: nothing is charged, and nothing is sent again', async (_, platform) => {
  await setOption('RetryTimes', 3)
  const outcomes: [isLost: boolean, script: (answer: ScriptedAnswer) => unknown][] = [
    [false, answer => answer.json(platform.refusal, platform.name === 'Suno' ? 400 : 200)],
    [true, answer => answer.reset()],
  ]
  for (const [isLost, script] of outcomes) {
    platform.maker.reset()
    platform.scripts.submit(script)
    const { ann, row } = await begin(platform)
    expect(await row()).toMatchObject({ status: 'FAILURE', charged: 0, refunded: 0, outcome_unknown: isLost })
    expect(platform.maker.submits()).toHaveLength(1)
    await rounds(2)
    await isPaid(ann, 0)
  }
  await setOption('RetryTimes', 0)
})

each('%s, garbage, slow and late: refunded once at the deadline, and no money moves later', async (_, platform) => {
  const page = async (answer: ScriptedAnswer) => {
    await answer.head(200, { 'content-type': 'text/html' }, 6)
    await answer.write('<html>')
  }
  for (const script of [page, undefined]) {
    platform.maker.reset()
    const { ann, row, upstream_id } = await begin(platform)
    if (script) platform.scripts.fetch(script)
    await rounds(3)
    expect((await row()).status).not.toBe('FAILURE')
    await isPaid(ann, platform.quota)
    shiftClock(2 * DAY)
    await rounds(1)
    expect(await row()).toMatchObject({ status: 'FAILURE', refunded: platform.quota })
    platform.maker.reset()
    platform.tells(upstream_id, platform.finished)
    await rounds(2)
    expect(await row()).toMatchObject({ status: 'FAILURE', charged: platform.quota, refunded: platform.quota })
    await isPaid(ann, 0, [platform.quota])
  }
})

each('%s, limited: the task stays as it is until it is read', async (_, platform) => {
  const { ann, row, upstream_id } = await begin(platform)
  platform.scripts.fetch(answer => answer.json({ code: 'limited', message: 'slow down', data: null }, 429))
  await rounds(2)
  expect(await row()).toMatchObject({ status: 'SUBMITTED' })
  await isPaid(ann, platform.quota)
  platform.maker.reset()
  platform.tells(upstream_id, platform.finished)
  await rounds(4)
  expect(await row()).toMatchObject({ status: 'SUCCESS' })
  await isPaid(ann, platform.quota)
})
