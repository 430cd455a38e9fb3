/** Tools that Anthropic's clients declare for later, add and take away in messages: other formats get those in effect. */
import { beforeEach, describe, expect, test } from 'bun:test'
import type { Json } from '../../formats/wire/sse.ts'
import { type Client, client, MODEL } from '../../support/people/client.ts'
import { deleteChannels } from '../../support/upstream/served-channel.ts'
import { callIn, channelFor, lastRequest, serverOf } from '../../support/upstream/translation.ts'

let ann: Client
beforeEach(async () => {
  await deleteChannels()
  ann = await client()
})

const others = ['openai-chat', 'gemini'] as const
const input_schema = { type: 'object', properties: {} }
const tool = (name: string, fields: Json = {}) => ({ name, input_schema, ...fields })
const later = (name: string) => tool(name, { defer_loading: true })
const user = (...content: Json[]) => ({ role: 'user', content })
const go = user({ type: 'text', text: 'Go' })
const finds = {
  role: 'assistant',
  content: [{ type: 'tool_use', id: 'a', name: 'ToolSearch', input: { query: 'fetch' } }],
}
const found = (...names: string[]) =>
  user({
    type: 'tool_result',
    tool_use_id: 'a',
    content: names.map(tool_name => ({ type: 'tool_reference', tool_name })),
  })
const changes = (...content: Json[]) => ({ role: 'system', content })
const added = (definition: Json) => ({ type: 'tool_addition', tool: { type: 'tool_definition', definition } })
const loaded = (name: string) => ({ type: 'tool_addition', tool: { type: 'tool_reference', name } })
const removed = (name: string) => ({ type: 'tool_removal', tool: { type: 'tool_reference', name } })

describe.each([...others])('tools of a request to %s', upstream => {
  /** Names of the functions that the upstream is offered. */
  async function offered(tools: Json[], ...messages: Json[]): Promise<unknown[]> {
    await channelFor(upstream, { model_mapping: JSON.stringify({ [MODEL]: upstream === 'gemini' ? 'm' : 'gpt-4o' }) })
    serverOf(upstream).plays('text')
    expect((await callIn('anthropic', ann, { tools, messages: [go, ...messages] })).status).toBe(200)
    const list = (lastRequest(upstream).body.tools ?? []) as Json[]
    const functions = upstream === 'gemini' ? ((list[0]?.functionDeclarations ?? []) as Json[]) : list
    return functions.map(one => ((one.function ?? one) as Json).name)
  }

  const declared = [tool('ToolSearch'), later('WebFetch'), later('Placeholder')]

  test('are without those declared for later until a result refers to them', async () => {
    expect(await offered(declared)).toEqual(['ToolSearch'])
    expect(await offered(declared, finds, found('WebFetch'))).toEqual(['ToolSearch', 'WebFetch'])
    const many = Array.from({ length: 200 }, (_, at) => later(`t${at}`))
    expect(await offered([...declared, ...many], finds, found('t7'))).toEqual(['ToolSearch', 't7'])
  })

  test('have those declared for later where Anthropic itself would find them', async () => {
    const search = { type: 'tool_search_tool_bm25_20251119', name: 'tool_search_tool_bm25' }
    expect(await offered([search, later('WebFetch')])).toEqual(['WebFetch'])
  })

  test('have what messages add, and not what they take away', async () => {
    const more = { role: 'assistant', content: 'Ready.' }
    expect(await offered([tool('a'), tool('b')], changes(added(tool('c')), removed('a')), more, go)).toEqual(['b', 'c'])
    expect(await offered([tool('a'), later('b')], changes(loaded('b'), removed('a')))).toEqual(['b'])
    const mcp = { type: 'tool_removal', tool: { type: 'mcp_tool_reference', server_name: 's', name: 'a' } }
    expect(await offered([tool('a')], changes(mcp))).toEqual(['a'])
  })

  test('have each name once, as it was defined last', async () => {
    const again = tool('a', { description: 'Second' })
    expect(await offered([tool('a')], changes(removed('a')), changes(added(again), loaded('a')))).toEqual(['a'])
    expect(JSON.stringify(lastRequest(upstream).body.tools)).toContain('Second')
  })
})

test('the same passes to Anthropic unchanged', async () => {
  await channelFor('anthropic')
  const body = { tools: [tool('a'), later('b')], messages: [go, changes(added(tool('c')), removed('a'))] }
  await callIn('anthropic', ann, body)
  expect(lastRequest('anthropic').body).toMatchObject(body)
})
