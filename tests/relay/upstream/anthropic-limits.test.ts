/** What Anthropic reports of its limits: a maker that counts as it reports never has to refuse, and lies cost no call. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { holdClock, now, shiftClock } from '../../../src/process/clock.ts'
import { setOption } from '../../support/app/options.ts'
import { client, MODEL } from '../../support/people/client.ts'
import { chat } from '../../support/upstream/chat-scripts.ts'
import { channelOf, upstreamOf } from '../../support/upstream/format-upstreams.ts'
import type { ScriptedAnswer } from '../../support/upstream/http-server.ts'
import { deleteChannels, served } from '../../support/upstream/served-channel.ts'

const PERIOD_SECONDS = 60
const [REQUESTS, TOKENS_OF_CALL] = [3, 20]

beforeEach(async () => {
  holdClock(true)
  shiftClock(1000)
  await deleteChannels()
})
afterEach(async () => {
  holdClock(false)
  await setOption('QueueTimeout', 10)
})

const usage = { input_tokens: 12, output_tokens: 8 }
const message = {
  ...{ id: 'msg_1', type: 'message', role: 'assistant', model: MODEL, content: [{ type: 'text', text: 'Hello' }] },
  ...{ stop_reason: 'end_turn', stop_sequence: null, usage },
}
const streamed = [
  { type: 'message_start', message: { ...message, content: [], stop_reason: null } },
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hello' } },
  { type: 'content_block_stop', index: 0 },
  { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage },
  { type: 'message_stop' },
]
  .map(event => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
  .join('')

const measures = ['requests', 'tokens', 'input-tokens', 'output-tokens'] as const
type Measure = (typeof measures)[number]

const rfc3339 = (seconds: number) => new Date(seconds * 1000).toISOString().replace('.000', '')

/** Each header that Anthropic sends, with room in all but one. */
function reportOf(spent: Measure, remaining: number, reset: string): Record<string, string> {
  const lines = measures.flatMap(measure => [
    [`anthropic-ratelimit-${measure}-limit`, '1000'],
    [`anthropic-ratelimit-${measure}-remaining`, measure === spent ? String(remaining) : '900'],
    [`anthropic-ratelimit-${measure}-reset`, measure === spent ? reset : rfc3339(now() + 3)],
  ])
  return Object.fromEntries(lines)
}

/** Counts requests in fixed minutes, and refuses each one too many. */
async function countingMaker(spent: Measure) {
  const upstream = await upstreamOf('anthropic')
  const counts = { served: 0, refused: 0 }
  let [begun, used] = [0, 0]
  upstream.scripts(async answer => {
    if (now() >= begun + PERIOD_SECONDS) [begun, used] = [now(), 0]
    const reset = rfc3339(begun + PERIOD_SECONDS)
    if (used >= REQUESTS) {
      counts.refused++
      const error = { type: 'rate_limit_error', message: 'This request would exceed your rate limit' }
      return answer.json({ type: 'error', error }, 429, { ...reportOf(spent, 0, reset), 'retry-after': '1' })
    }
    counts.served++
    const unit = spent === 'requests' ? 1 : TOKENS_OF_CALL
    const headers = reportOf(spent, (REQUESTS - ++used) * unit, reset)
    return respond(answer, upstream.asked.at(-1)!.body.stream === true, headers)
  })
  await channelOf('anthropic', upstream, { priority: 10 })
  return { counts, upstream }
}

async function respond(answer: ScriptedAnswer, streams: boolean, headers: Record<string, string>) {
  if (!streams) return answer.json(message, 200, headers)
  await answer.head(200, { 'content-type': 'text/event-stream', ...headers }, 'chunked')
  await answer.write(streamed)
  await answer.end()
}

test.each(measures.flatMap(measure => [[measure, false] as const, [measure, true] as const]))(
  'a maker that reports its %s is never asked too often, streamed: %p',
  async (measure, stream) => {
    const { counts, upstream } = await countingMaker(measure)
    const second = await served(chat())
    const ann = await client()
    for (let minute = 1; minute <= 2; minute++) {
      for (let call = 0; call < 6; call++) {
        const response = await ann.chat({ stream, max_tokens: 9 })
        expect(response.status).toBe(200)
        await response.text()
      }
      expect(counts).toEqual({ served: minute * REQUESTS, refused: 0 })
      expect(second.calls()).toBe(minute * REQUESTS)
      shiftClock(PERIOD_SECONDS + 1)
    }
    expect(upstream.violations).toEqual([])
  },
)

test('a call waits for the reset that the only maker reports', async () => {
  await setOption('QueueTimeout', 5)
  const { counts } = await countingMaker('requests')
  const ann = await client()
  for (let call = 0; call < REQUESTS; call++) expect((await ann.chat()).status).toBe(200)
  const refused = await ann.chat()
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, String(PERIOD_SECONDS)])
  shiftClock(PERIOD_SECONDS - 2)
  const waiting = ann.chat()
  await Bun.sleep(50)
  shiftClock(3)
  expect((await waiting).status).toBe(200)
  expect(counts).toEqual({ served: REQUESTS + 1, refused: 0 })
})

const soon = () => rfc3339(now() + 30)

const lies: [string, () => Record<string, string>][] = [
  ['a reset in the year 2100', () => reportOf('requests', 0, '2100-01-01T00:00:00Z')],
  ['a reset in the past', () => reportOf('requests', 0, '2020-01-01T00:00:00Z')],
  ['a negative reset', () => reportOf('requests', 0, '-30')],
  ['a reset of words', () => reportOf('requests', 0, 'in a while')],
  ['an empty reset', () => reportOf('requests', 0, '')],
  ['less than nothing', () => reportOf('requests', -5, soon())],
  [
    'words for a number',
    () => ({ ...reportOf('requests', 0, soon()), 'anthropic-ratelimit-requests-remaining': 'few' }),
  ],
  ['an empty number', () => ({ ...reportOf('requests', 0, soon()), 'anthropic-ratelimit-requests-remaining': '' })],
]

test.each(lies)('%s is not believed', async (_, headersOf) => {
  const upstream = await upstreamOf('anthropic')
  upstream.scripts(answer => respond(answer, false, headersOf()))
  await channelOf('anthropic', upstream)
  const ann = await client()
  for (let call = 0; call < 3; call++) expect((await ann.chat()).status).toBe(200)
  expect(upstream.asked).toHaveLength(3)
})
