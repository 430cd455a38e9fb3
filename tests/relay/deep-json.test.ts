// @engine sqlite
/** JSON that is nested without end: in the texts of a request, and in what an upstream answers. */
import { expect, test } from 'bun:test'
import type { ClientFormatName } from '../../src/formats/canonical/chat.ts'
import { formats } from '../../src/formats/index.ts'
import { logsOf } from '../support/app/logs.ts'
import { setOption } from '../support/app/options.ts'
import { client, MODEL } from '../support/people/client.ts'
import { until } from '../support/until.ts'
import { chat } from '../support/upstream/chat-scripts.ts'
import { channelTo, deleteChannels, startUpstream } from '../support/upstream/served-channel.ts'
import { callIn, channelFor, lastRequest, serverOf } from '../support/upstream/translation.ts'

const ann = await client()
await setOption('RetryTimes', 1)
const DEPTH = 200_000
const deepList = '['.repeat(DEPTH) + ']'.repeat(DEPTH)
const deep = `{"a":${deepList}}`
const lists = `{"a":[${'[],'.repeat(150_000)}1]}`

const asking = (text: string) => ({
  messages: [
    { role: 'user', content: 'hi' },
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'c1', type: 'function', function: { name: 'f', arguments: text } }],
    },
    { role: 'tool', tool_call_id: 'c1', content: deep },
  ],
})

const others = formats.filter(format => format !== 'openai-chat')
test.each(others)('arguments that are too deep are refused on the way to %s', async format => {
  await deleteChannels()
  await channelFor(format)
  serverOf(format).plays('text')
  const before = serverOf(format).asked.length
  for (const [text, message] of [
    [deep, 'nested more than 128'],
    [lists, 'more than 25000 objects'],
    [`{"a":[${'1,'.repeat(300_000)}1]}`, 'more than 200000 values'],
  ] as const) {
    const response = await ann.chat(asking(text))
    expect(response.status).toBe(400)
    expect((await response.text()).includes(message)).toBe(true)
  }
  expect(serverOf(format).asked).toHaveLength(before)
  expect((await ann.chat(asking('{"a":1}'))).status).toBe(200)
  expect(JSON.stringify(lastRequest(format).body).includes('[[[[')).toBe(true)
})

test('arguments that are too deep stay text on the way to an upstream of the same format', async () => {
  await deleteChannels()
  await channelFor('openai-chat')
  serverOf('openai-chat').plays('text')
  expect((await ann.chat(asking(deep))).status).toBe(200)
  expect(JSON.stringify(lastRequest('openai-chat').body).includes('[[[[')).toBe(true)
})

const answers: Record<ClientFormatName, string> = {
  'openai-chat': `{"id":"x","choices":[{"index":0,"message":{"role":"assistant","content":"a","x":${deepList}}}]}`,
  'openai-responses': `{"id":"x","object":"response","status":"completed","output":[${deepList}]}`,
  anthropic: `{"id":"x","type":"message","role":"assistant","model":"m","content":[{"type":"tool_use","id":"t","name":"f","input":${deep}}],"stop_reason":"tool_use","usage":{"input_tokens":1,"output_tokens":1}}`,
  gemini: `{"candidates":[{"content":{"role":"model","parts":[{"functionCall":{"name":"f","args":${deep}}}]},"finishReason":"STOP"}]}`,
}

const cases = formats.flatMap(format => [false, true].map(stream => ({ format, stream })))
test.each(cases)(
  'a deep answer of $format (stream: $stream) lets the next channel answer',
  async ({ format, stream }) => {
    await deleteChannels()
    await channelFor(format, { priority: 10 })
    const good = await startUpstream(chat({ text: 'Good' }))
    await channelTo(good)
    serverOf(format).scripts(async answer => {
      await answer.head(200, { 'content-type': stream ? 'text/event-stream' : 'application/json' }, 'chunked')
      await answer.write(stream ? `data: ${answers[format]}\n\n` : answers[format])
      await answer.end()
    })
    const response = await callIn('openai-chat', ann, { stream })
    expect(response.status).toBe(200)
    expect((await response.text()).includes('Good')).toBe(true)
  },
)

test('a deep event in the middle of a stream breaks it off, and the call is billed', async () => {
  await deleteChannels()
  const upstream = await startUpstream()
  upstream.scripts(MODEL, async (_, answer) => {
    await answer.head(200, { 'content-type': 'text/event-stream' }, 'chunked')
    await answer.write('data: {"id":"x","choices":[{"index":0,"delta":{"content":"Hello"}}]}\n\n')
    await answer.write(`data: {"id":"x","choices":[{"index":0,"delta":{"content":"a","x":${deepList}}}]}\n\n`)
    await answer.end()
  })
  await channelTo(upstream)
  const bob = await client()
  const response = await bob.stream()
  expect((await response.text()).includes('"error"')).toBe(true)
  await until(async () => (await logsOf(bob.person)).length === 1)
})
