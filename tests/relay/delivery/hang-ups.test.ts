/** Hang-ups at random moments of every kind of stream: each call is billed once, by its report, and the books are right. */
import { afterAll, expect, test } from 'bun:test'
import { auditWallets } from '../../../src/domain/wallet/audit.ts'
import { app } from '../../support/app/app.ts'
import { setOption } from '../../support/app/options.ts'
import { setPrice } from '../../support/app/prices.ts'
import { client, RICH } from '../../support/people/client.ts'
import { seededRandom } from '../../support/random.ts'
import { until } from '../../support/until.ts'
import type { ScriptedAnswer } from '../../support/upstream/http-server.ts'
import type { Script } from '../../support/upstream/openai.ts'
import { Pause, pausedStream, pausedWires } from '../../support/upstream/paused-upstream.ts'
import { channelTo, startUpstream } from '../../support/upstream/served-channel.ts'

const CALLS = 25
const PROMPT = 20
const words = Array.from({ length: 12 }, (_, index) => `word${index} `)
const reportOf = (output: number) => ({ prompt: PROMPT, output, reasoning: 0 })
const data = (value: object) => `data: ${JSON.stringify(value)}\n\n`

interface Kind {
  model: string
  path: string
  body: object
  /** Every event of a stream that reports so much output. */
  events(output: number): string[]
}

const chat = pausedWires['openai-chat']
const responses = pausedWires['openai-responses']
const messages = [{ role: 'user', content: 'Say much' }]

const streamOf = ({ events }: typeof chat, output: number) => {
  const { head, words: told, tail } = events(words, reportOf(output))
  return [...head, ...told, ...tail]
}
const chatKind = (model: string, delta?: (word: string) => object): Kind => ({
  model,
  path: chat.path,
  body: { messages },
  events(output) {
    const { head, words: told, tail } = chat.events(words, reportOf(output))
    const chunk = (word: string) => data({ id: 'c', choices: [{ index: 0, delta: delta!(word), finish_reason: null }] })
    return [...head, ...(delta ? words.map(chunk) : told), ...tail]
  },
})

const kinds: Record<string, Kind> = {
  text: chatKind('gpt-4o'),
  'hidden thinking': chatKind('o3'),
  'shown thinking': chatKind('deepseek-reasoner', reasoning_content => ({ reasoning_content })),
  tools: chatKind('gpt-4o-mini', text => ({
    tool_calls: [{ index: 0, id: 'call_1', type: 'function', function: { name: 'find', arguments: text } }],
  })),
  'comments before': chatKind('gpt-4.1'),
  responses: {
    model: 'o4-mini',
    path: responses.path,
    body: { input: 'Say much' },
    events: output => streamOf(responses, output),
  },
  pictures: {
    model: 'gpt-image-1',
    path: '/v1/images/generations',
    body: { prompt: 'A cat', partial_images: 3 },
    events: output => [
      ...[0, 1, 2].map(partial_image_index =>
        data({ type: 'image_generation.partial_image', partial_image_index, b64_json: 'aGk=' }),
      ),
      data({
        type: 'image_generation.completed',
        b64_json: 'aGk=',
        usage: { input_tokens: PROMPT, output_tokens: output, total_tokens: PROMPT + output },
      }),
    ],
  },
  speech: {
    model: 'tts-1',
    path: '/v1/audio/speech',
    body: { input: 'x'.repeat(PROMPT), voice: 'alloy' },
    events: () => [],
  },
}

const upstream = await startUpstream()
const models = Object.values(kinds).map(({ model }) => model)
await channelTo(upstream, { models: models.join() })
await setPrice('ModelRatio', Object.fromEntries(models.map(model => [model, 1])))
await setPrice('CompletionRatio', Object.fromEntries(models.map(model => [model, 4])))
afterAll(() => expect(upstream.violations).toEqual([]))

const SEED = 20_261_123
const random = seededRandom(SEED)

/** A file of ten pieces that stops after some. */
const pausedFile = (pieces: number, pause: Pause) => async (answer: ScriptedAnswer) => {
  if (!pieces) await pause.wait()
  await answer.head(200, { 'content-type': 'audio/mpeg' }, 'chunked')
  for (let piece = 0; piece < 10; piece++) {
    if (piece && piece === pieces) await pause.wait()
    await answer.write('sound')
  }
  await answer.end()
}

test.each(Object.keys(kinds))(`random hang-ups within %s are billed by the report (seed ${SEED})`, async name => {
  const { model, path, body, events } = kinds[name]!
  const waitsForComment = name === 'comments before'
  await setOption('general_setting.ping_interval_seconds', 1)
  await setOption('general_setting.ping_interval_enabled', waitsForComment)
  const scripts: ((answer: ScriptedAnswer) => Promise<void>)[] = []
  upstream.scripts(model, ((_, answer) => scripts.shift()!(answer)) satisfies Script)
  const ann = await client()
  const leaving = new AbortController()
  const calls = Array.from({ length: CALLS }, (_, index) => {
    const pause = new Pause()
    const all = events(1000 + index)
    const at = waitsForComment ? 0 : random(all.length || 10)
    scripts.push(all.length ? pausedStream(all.slice(0, at), all.slice(at), pause) : pausedFile(at, pause))
    const stream = all.length > 0 && { stream: true }
    const response = ann.postTo(path, { model, ...body, ...stream }, { signal: leaving.signal })
    const begun = waitsForComment ? response : pause.arrived
    return {
      pause,
      response: response.catch(() => undefined),
      begun,
      cost: PROMPT + (all.length ? 4 * (1000 + index) : 0),
    }
  })
  await Promise.all(calls.map(({ begun }) => begun))
  leaving.abort()
  await Promise.all(calls.map(({ response }) => response))
  await until(() => app.server!.pendingRequests === 0)
  for (const { pause } of calls) pause.release()
  await until(async () => (await ann.person.get('/api/user/self')).data.request_count === CALLS)
  const reported = calls.reduce((sum, { cost }) => sum + cost, 0)
  expect(RICH - (await ann.balance())).toBe(reported)
  expect((await auditWallets()).difference).toBeUndefined()
})
