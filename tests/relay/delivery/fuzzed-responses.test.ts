// @engine sqlite
/** Well-formed nonsense in responses of every format, to clients of every format. */
import { afterAll, expect, spyOn, test } from 'bun:test'
import type { ClientFormatName } from '../../../src/formats/canonical/chat.ts'
import { formats } from '../../../src/formats/index.ts'
import { log } from '../../../src/process/log.ts'
import { wires } from '../../formats/wire/index.ts'
import { setOption } from '../../support/app/options.ts'
import { client } from '../../support/people/client.ts'
import { casesInTier } from '../../support/tier.ts'
import { channelOf } from '../../support/upstream/format-upstreams.ts'

const modelOf = (format: ClientFormatName) => `from-${format}`
let whole: unknown
let streamed = ''
const upstream = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  async fetch(request) {
    const streams = ((await request.json()) as any).stream === true || request.url.includes(':streamGenerateContent')
    if (!streams) return Response.json(whole)
    return new Response(streamed, { headers: { 'content-type': 'text/event-stream' } })
  },
})
afterAll(() => upstream.stop(true))

await setOption('ModelRatio', JSON.stringify(Object.fromEntries(formats.map(format => [modelOf(format), 1]))))
await setOption('LogChatContentEnabled', true)
await setOption('RetryTimes', 0)
const url = `http://127.0.0.1:${upstream.port}`
for (const format of formats) {
  const mapping = JSON.stringify({ [modelOf(format)]: format === 'openai-responses' ? 'codex-mini' : 'm' })
  await channelOf(format, { url }, { models: modelOf(format), model_mapping: mapping })
}
const ann = await client()

const messages = [{ role: 'user', content: 'hi' }]
const asks: Record<ClientFormatName, (model: string, stream: boolean) => Promise<Response>> = {
  'openai-chat': (model, stream) => ann.post({ model, stream, messages }),
  'openai-responses': (model, stream) => ann.postTo('/v1/responses', { model, stream, input: 'hi' }),
  anthropic: (model, stream) => ann.postTo('/v1/messages', { model, stream, max_tokens: 5, messages }),
  gemini: (model, stream) =>
    ann.postTo(`/v1beta/models/${model}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`, {
      contents: [{ role: 'user', parts: [{ text: 'hi' }] }],
    }),
}

const strange = [{ toString: 1 }, null, 'constructor']

function* places(value: unknown, path: string[] = []): Generator<string[]> {
  if (path.length) yield path
  if (typeof value === 'object' && value !== null)
    for (const [key, inner] of Object.entries(value)) yield* places(inner, [...path, key])
}

function* strangely(value: object): Generator<object> {
  for (const [turn, place] of [...places(value)].entries()) {
    for (const odd of casesInTier(strange, turn, 1)) {
      const copy = structuredClone(value)
      const parent = place.slice(0, -1).reduce((inner, key) => (inner as Record<string, object>)[key]!, copy)
      Object.assign(parent, { [place.at(-1)!]: odd })
      yield copy
    }
  }
}

/** The stream with one of its events replaced. */
function* strangeStreams(stream: string): Generator<string> {
  const events = stream.split('\n\n')
  for (const [at, event] of events.entries()) {
    const [, name = '', data] = /^((?:event: .*\n)?data: )(\{.*\})$/s.exec(event) ?? []
    if (!data) continue
    for (const odd of strangely(JSON.parse(data))) yield events.with(at, name + JSON.stringify(odd)).join('\n\n')
  }
}

test.each([...formats])('any value anywhere in a response of %s is delivered or refused', async format => {
  const bug = spyOn(log, 'error')
  const ask = async (stream: boolean, caller: ClientFormatName) => {
    const answer = await asks[caller](modelOf(format), stream)
    await answer.text()
    return answer.status
  }
  let turn = 0
  for (whole of strangely(wires[format].answers.text)) {
    expect([whole, await ask(false, formats[turn++ % formats.length]!)]).not.toEqual([whole, 500])
  }
  for (streamed of strangeStreams(wires[format].streams.text)) {
    expect([streamed, await ask(true, formats[turn++ % formats.length]!)]).not.toEqual([streamed, 500])
  }
  expect(bug.mock.calls).toEqual([])
  bug.mockRestore()
})
