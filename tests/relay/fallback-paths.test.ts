/** Keys over several groups on the paths beside chat, and where a group fails before it has answered. */
import { afterAll, beforeEach, expect, test } from 'bun:test'
import { logsOf } from '../support/app/logs.ts'
import { setOption } from '../support/app/options.ts'
import { resetPrices, setPrice } from '../support/app/prices.ts'
import { type Client, client, MODEL, RICH } from '../support/people/client.ts'
import { asked, DRAWING_QUOTA } from '../support/people/drawings.ts'
import { dial, REALTIME_MODEL } from '../support/people/realtime-client.ts'
import { MUSIC_QUOTA, rowsOf, submitted } from '../support/people/tasks.ts'
import { begun, priced, SECOND_QUOTA, videoChannel } from '../support/people/videos.ts'
import { until } from '../support/until.ts'
import { chat, closesAfter, hangs, refuses } from '../support/upstream/chat-scripts.ts'
import { drawingChannel, midjourneyUpstream } from '../support/upstream/midjourney.ts'
import { realtimeUpstream } from '../support/upstream/realtime.ts'
import { channel, OPENAI, PLAIN } from '../support/upstream/reporting-upstream.ts'
import { channelTo, served } from '../support/upstream/served-channel.ts'
import { sunoUpstream } from '../support/upstream/suno.ts'
import { sunoChannel } from '../support/upstream/suno-channel.ts'
import { openAiWire } from '../support/upstream/videos/openai.ts'
import { videoServer } from '../support/upstream/videos/server.ts'

const DEAR = 3
/** Of 100 tokens of text and 200 of output, at 2.5 a token and four times that. */
const TURN_QUOTA = (100 + 200 * 4) * 2.5

beforeEach(async () => {
  await setPrice('GroupRatio', { default: 1, cheap: 0.5, dear: DEAR })
  await setPrice('UserUsableGroups', { default: '', cheap: '', dear: '' })
  await setOption('QueueTimeout', 0)
  await setOption('RetryTimes', 0)
})
afterAll(async () => {
  await setOption('QueueTimeout', 10)
  await setOption('RetryTimes', 3)
  await resetPrices()
})

const both = () => client({ group: 'cheap', fallback_groups: 'dear' })

async function lastEntry({ person }: Client) {
  const [entry] = await logsOf(person)
  return entry
}

test('realtime: the second group opens the session that the first cannot, bills it, and the log says so', async () => {
  await served(refuses(500), { group: 'cheap', models: REALTIME_MODEL })
  const sessions = realtimeUpstream()
  sessions.turns.push({ usage: { total_tokens: 300, input_tokens: 100, output_tokens: 200 } })
  await channelTo(sessions.url, { group: 'dear', models: REALTIME_MODEL })
  const ann = await both()
  const call = await dial(ann)
  call.say({ type: 'response.create' })
  await call.seen('response.done')
  call.socket.close()
  const entry = await until(() => lastEntry(ann))
  expect([entry.quota, RICH - (await ann.balance())]).toEqual([DEAR * TURN_QUOTA, DEAR * TURN_QUOTA])
  expect([entry.group, entry.other.passed_over]).toEqual([
    'dear',
    [{ group: 'cheap', model: REALTIME_MODEL, why: 'failed' }],
  ])
  sessions.stop()
})

/** Each is accepted by a channel of the second group alone. */
const tasks: [name: string, begin: (ann: Client) => Promise<unknown>, quota: number][] = [
  [
    'drawing',
    async ann => {
      await drawingChannel(await midjourneyUpstream(), { group: 'dear' })
      expect((await asked(ann, '/mj/submit/imagine', { prompt: 'A gate' })).body).toMatchObject({ code: 1 })
    },
    DEAR * DRAWING_QUOTA,
  ],
  [
    'song',
    async ann => {
      await sunoChannel(await sunoUpstream(), { group: 'dear' })
      await submitted(ann)
    },
    DEAR * MUSIC_QUOTA,
  ],
  [
    'video',
    async ann => {
      await priced('sora-2')
      const wire = openAiWire(55)
      await videoChannel(wire, await videoServer(wire), { models: 'sora-2', group: 'dear' })
      await begun(ann, { model: 'sora-2', prompt: 'A toll gate at dawn' })
    },
    DEAR * 4 * SECOND_QUOTA,
  ],
]

test.each(tasks)(
  'task: a %s is begun in the group that has a channel for it, and charged there',
  async (_name, begin, quota) => {
    const ann = await both()
    await begin(ann)
    const [row] = await rowsOf(ann)
    expect(row).toMatchObject({ group: 'dear', charged: quota })
    expect(await ann.balance()).toBe(RICH - quota)
  },
)

test('token counting: the maker in the second group counts where the first has no channel', async () => {
  const maker = Bun.serve({
    port: 0,
    fetch: ({ url }) =>
      url.endsWith('/v1/responses/input_tokens')
        ? Response.json({ object: 'response.input_tokens', input_tokens: 7 })
        : new Response('', { status: 404 }),
  })
  await channelTo(String(maker.url), { group: 'dear', type: OPENAI })
  const ann = await both()
  const body = { model: MODEL, input: 'Count me' }
  expect(await (await ann.postTo('/v1/responses/input_tokens', body)).json()).toMatchObject({
    input_tokens: 7,
  })
  expect(await ann.balance()).toBe(RICH)
  await maker.stop(true)
})

test('a stream that ends before its first byte moves to the second group, and is billed once, there', async () => {
  const first = await served(closesAfter(0), { group: 'cheap' })
  await channel(OPENAI, {}, { group: 'dear' })
  const ann = await both()
  const response = await ann.stream()
  expect([response.status, await response.text()]).toEqual([200, expect.stringContaining('[DONE]')])
  expect([first.calls(), await ann.balance()]).toEqual([1, RICH - DEAR * PLAIN])
  const entries = await logsOf(ann.person)
  expect(entries.filter(({ quota }: { quota: number }) => quota > 0)).toHaveLength(1)
  expect((await lastEntry(ann)).other.passed_over).toEqual([{ group: 'cheap', model: MODEL, why: 'failed' }])
})

test('a group is passed over while the trial of its only channel runs, whose circuit is open', async () => {
  const first = await served(refuses(500), { group: 'cheap' })
  const alone = await client({ group: 'cheap' })
  for (let turn = 0; turn < 5; turn++) expect((await alone.chat()).status).toBe(502)
  const failed = first.calls()
  first.scripts(hangs())
  const stay = new AbortController()
  const trial = alone.stream({}, { signal: stay.signal }).catch(() => undefined)
  await until(() => first.calls() > failed)
  await served(chat(), { group: 'dear' })
  const ann = await both()
  expect((await ann.chat()).status).toBe(200)
  expect((await lastEntry(ann)).other.passed_over).toEqual([{ group: 'cheap', model: MODEL, why: 'cooling_down' }])
  stay.abort()
  await trial
})
