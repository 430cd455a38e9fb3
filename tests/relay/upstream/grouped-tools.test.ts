/** Tools as Codex declares them, in groups and in items of the conversation: other formats get them as functions. */
import { beforeEach, describe, expect, test } from 'bun:test'
import type { Json } from '../../formats/wire/sse.ts'
import { setOption } from '../../support/app/options.ts'
import { type Client, client, MODEL } from '../../support/people/client.ts'
import { events } from '../../support/upstream/format-upstreams.ts'
import { deleteChannels } from '../../support/upstream/served-channel.ts'
import { callIn, channelFor, lastRequest, serverOf } from '../../support/upstream/translation.ts'

await setOption('ModelRatio', JSON.stringify({ [MODEL]: 1.25, 'codex-mini': 1 }))

let ann: Client
beforeEach(async () => {
  await deleteChannels()
  ann = await client()
})

const others = ['openai-chat', 'anthropic', 'gemini'] as const
type Other = (typeof others)[number]

const parameters = { type: 'object', properties: { city: { type: 'string' } } }
const weather = { type: 'function', name: 'get_weather', strict: false, parameters }
const group = { type: 'namespace', name: 'mcp__weather', description: 'Of the sky', tools: [weather] }
const shell = { type: 'namespace', name: 'functions', description: 'Own', tools: [{ type: 'custom', name: 'exec' }] }
const search = { type: 'tool_search', execution: 'client', description: 'Finds tools', parameters }
const added = { type: 'additional_tools', role: 'developer', tools: [shell, search] }
const go = { role: 'user', content: 'Go' }

/** Names of the functions that an upstream is offered. */
function offered(format: Other): unknown[] {
  const tools = (lastRequest(format).body.tools ?? []) as Json[]
  const functions = format === 'gemini' ? (tools[0]!.functionDeclarations as Json[]) : tools
  return functions.map(tool => ((tool.function ?? tool) as Json).name)
}

const replies: Record<Other, (name: string, args: Json) => Json> = {
  'openai-chat': (name, args) => ({
    id: 'chatcmpl-1',
    object: 'chat.completion',
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'call_1', type: 'function', function: { name, arguments: JSON.stringify(args) } }],
        },
        finish_reason: 'tool_calls',
      },
    ],
    usage: { prompt_tokens: 9, completion_tokens: 9, total_tokens: 18 },
  }),
  anthropic: (name, input) => ({
    ...{ id: 'msg_1', type: 'message', role: 'assistant', model: 'm', stop_reason: 'tool_use', stop_sequence: null },
    content: [{ type: 'tool_use', id: 'call_1', name, input }],
    usage: { input_tokens: 9, output_tokens: 9 },
  }),
  gemini: (name, args) => ({
    candidates: [
      {
        content: { role: 'model', parts: [{ functionCall: { id: 'call_1', name, args } }] },
        finishReason: 'STOP',
        index: 0,
      },
    ],
    usageMetadata: { promptTokenCount: 9, candidatesTokenCount: 9, totalTokenCount: 18 },
  }),
}

/** The same as a stream. */
function streamOf(format: Other, reply: Json): string {
  const event = (data: Json) => `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`
  if (format !== 'anthropic')
    return `data: ${JSON.stringify(reply)}\n\n${format === 'gemini' ? '' : 'data: [DONE]\n\n'}`
  const { content, usage, stop_reason } = reply
  const [content_block] = content as Json[]
  return [
    { type: 'message_start', message: { ...reply, content: [], stop_reason: null } },
    { type: 'content_block_start', index: 0, content_block },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason }, usage },
    { type: 'message_stop' },
  ]
    .map(event)
    .join('')
}

/** The item of a response whose upstream calls this function, whole and streamed. */
async function itemFor(format: Other, name: string, args: Json, fields: Json): Promise<Json[]> {
  await channelFor(format)
  const reply = replies[format](name, args)
  serverOf(format).scripts(answer => answer.json(reply))
  const whole = (await (await callIn('openai-responses', ann, fields)).json()) as { output: Json[] }
  serverOf(format).scripts(answer => events(answer, streamOf(format, reply)))
  const streamed = await (await callIn('openai-responses', ann, { ...fields, stream: true })).text()
  const [, done] = /event: response\.output_item\.done\ndata: (.*)/.exec(streamed) ?? []
  return [whole.output[0]!, (JSON.parse(done ?? streamed) as Json).item as Json]
}

describe.each([...others])('functions in groups, to %s', format => {
  test('are offered by the name of the group and their own, and called by both', async () => {
    const items = await itemFor(format, 'mcp__weather__get_weather', { city: 'Oslo' }, { input: [go], tools: [group] })
    expect(offered(format)).toEqual(['mcp__weather__get_weather'])
    for (const item of items)
      expect(item).toMatchObject({
        ...{ type: 'function_call', name: 'get_weather', namespace: 'mcp__weather', call_id: 'call_1' },
        arguments: '{"city":"Oslo"}',
      })
  })

  test('are known where an item of the conversation adds them, with tools that take a text', async () => {
    const items = await itemFor(format, 'functions__exec', { input: 'ls' }, { input: [added, go] })
    expect(offered(format)).toEqual(['functions__exec', 'tool_search'])
    for (const item of items)
      expect(item).toMatchObject({ type: 'custom_tool_call', name: 'exec', namespace: 'functions', input: 'ls' })
  })

  test('are found by the client, with a call and a result of their own types', async () => {
    const items = await itemFor(format, 'tool_search', { city: 'Oslo' }, { input: [go], tools: [search] })
    for (const item of items)
      expect(item).toMatchObject({
        ...{ type: 'tool_search_call', execution: 'client', call_id: 'call_1', status: 'completed' },
        arguments: { city: 'Oslo' },
      })
    const found = { type: 'tool_search_output', call_id: 'call_1', execution: 'client', tools: [group] }
    serverOf(format).plays('text')
    const asked = await callIn('openai-responses', ann, { input: [added, go, items[0], found, found] })
    expect(asked.status).toBe(200)
    expect(offered(format)).toEqual(['functions__exec', 'tool_search', 'mcp__weather__get_weather'])
    expect(JSON.stringify(lastRequest(format).body)).toContain('can be called now: mcp__weather__get_weather')
  })

  test('come back in the history by both names', async () => {
    await channelFor(format)
    serverOf(format).plays('text')
    const call = {
      type: 'function_call',
      call_id: 'c',
      name: 'get_weather',
      namespace: 'mcp__weather',
      arguments: '{}',
    }
    const output = { type: 'function_call_output', call_id: 'c', output: 'Sunny' }
    const other = { type: 'custom_tool_call', call_id: 'd', name: 'exec', namespace: 'functions', input: 'ls' }
    const text = { type: 'custom_tool_call_output', call_id: 'd', output: 'a.txt' }
    const choice = { type: 'function', name: 'get_weather', namespace: 'mcp__weather' }
    const input = [go, call, output, other, text]
    const asked = await callIn('openai-responses', ann, { input, tools: [group, shell], tool_choice: choice })
    expect(asked.status).toBe(200)
    const { tools, ...body } = lastRequest(format).body
    const names = JSON.stringify(body).match(/mcp__weather__get_weather|functions__exec/g)
    expect(new Set(names)).toEqual(new Set(['mcp__weather__get_weather', 'functions__exec']))
    expect(names!.filter(name => name === 'mcp__weather__get_weather').length).toBeGreaterThan(1)
  })
})

test('messages between agents reach other formats, and settings between items do not', async () => {
  await channelFor('anthropic')
  serverOf('anthropic').plays('text')
  const content = [
    { type: 'input_text', text: 'Look at a.txt' },
    { type: 'encrypted_content', encrypted_content: 'x' },
  ]
  const input = [
    { type: 'configuration_update', reasoning: { effort: 'low' } },
    { type: 'agent_message', author: '/root', recipient: '/root/a', content },
    { type: 'context_compaction', encrypted_content: 'x' },
  ]
  expect((await callIn('openai-responses', ann, { input })).status).toBe(200)
  expect(lastRequest('anthropic').body.messages).toMatchObject([{ role: 'user', content: 'Look at a.txt' }])
})
