// @engine sqlite
/**
 * The official clients of OpenAI, Anthropic and Google stream texts and tool calls from every provider with the
 * recorded calls `chat-streamed` and `tools-streamed`.
 */
import { describe, expect, test } from 'bun:test'
import type { ClientFormatName } from '../../src/formats/canonical/chat.ts'
import { chatFormats } from '../../src/formats/index.ts'
import { pickApi, providerOf, type UpstreamConfig } from '../../src/providers/index.ts'
import { wires } from '../formats/wire/index.ts'
import { setOption } from '../support/app/options.ts'
import { client } from '../support/people/client.ts'
import { setUp } from '../support/people/person.ts'
import { speakers } from '../support/people/sdk-clients.ts'
import { makeChannel } from '../support/upstream/channel.ts'
import { type Fixture, modelOf, recordedProviders } from '../support/upstream/fixtures.ts'
import { type Server, type Upstream, withUpstream } from '../support/upstream/strict-provider.ts'

const callers: ClientFormatName[] = ['openai-chat', 'anthropic', 'gemini']
const recorded = await recordedProviders()
/** Anthropic's own server is left out: its client's version header passes to it, see tests/relay/formats.test.ts. */
const cases = recorded
  .filter(({ name }) => name !== 'anthropic')
  .map(({ fixtures, ...one }) => ({ ...one, fixtures: Object.fromEntries(fixtures) }))
const root = await setUp()
await setOption('ServerAddress', 'https://gate.example')
const ann = await client()
await price(cases.flatMap(({ fixtures }) => Object.values(fixtures)))

describe.each(cases.filter(({ fixtures }) => fixtures['chat-streamed']))('$name', ({ server, upstream, fixtures }) => {
  /** Where the provider has an API of the client's own format besides, its calls are recorded apart. */
  const callersOf = ({ asks }: Fixture) =>
    callers.filter(caller => formatFor(caller, server, asks) === formatFor('openai-chat', server, asks))

  test.each(callersOf(fixtures['chat-streamed']!))('the %s client streams a text', async caller => {
    const fixture = fixtures['chat-streamed']!
    const answer = await ask(server, upstream, fixture, caller, 'text')
    expect(textIn(answer)).toBe(fixture.told.text)
  })

  const called = fixtures['tools-streamed']
  if (called) {
    test.each(callersOf(called))('the %s client streams tool calls', async caller => {
      const answer = await ask(server, upstream, called, caller, 'tools')
      const wanted = called.told.tool_calls.map((call: any) => [call.name, JSON.parse(call.arguments)])
      expect(callsIn(answer)).toEqual(wanted)
    })
  }
})

function formatFor(caller: ClientFormatName, server: Server, asks: Fixture['asks']): string | undefined {
  const channel = withUpstream(server.channel, 'http://upstream.example')
  const config = { base_url: '', ...channel, setting: JSON.parse(channel.setting || '{}') } as UpstreamConfig
  const choice = { operation: 'chat', model: modelOf(asks), config, client: chatFormats[caller] } as const
  return pickApi(providerOf(channel.type)!, choice)?.format.name
}

async function price(fixtures: Fixture[]) {
  const names = fixtures.map(({ asks }) => modelOf(asks))
  await setOption('ModelRatio', JSON.stringify(Object.fromEntries(names.map(name => [name, 1]))))
}

/** What the client of one format understands of the recorded response. */
async function ask(
  server: Server,
  upstream: Upstream,
  { asks, channel, answers, beside }: Fixture,
  caller: ClientFormatName,
  feature: 'text' | 'tools',
): Promise<unknown> {
  const model = modelOf(asks)
  const fields = withUpstream({ ...server.channel, ...channel }, upstream.url)
  const base_url = upstream.url + (server.base ?? '')
  const { id } = await makeChannel(root, { models: model, base_url, ...fields })
  try {
    upstream.expects(fields, answers, {}, beside)
    const answer = await speakers[caller](ann).streamed({ ...wires[caller].requests[feature], model })
    expect(upstream.violations()).toEqual([])
    return answer
  } finally {
    await root.delete(`/api/channel/${id}`)
  }
}

type Loose = any

const partsIn = (answer: Loose): Loose[] =>
  Array.isArray(answer) ? answer.flatMap(event => event.candidates?.[0]?.content?.parts ?? []) : (answer.content ?? [])

function textIn(answer: Loose): string {
  if (answer.choices) return answer.choices[0].message.content
  return partsIn(answer)
    .filter(part => !part.thought)
    .map(part => part.text ?? '')
    .join('')
}

function callsIn(answer: Loose): [name: string, input: unknown][] {
  if (answer.choices) {
    return answer.choices[0].message.tool_calls.map((call: Loose) => [
      call.function.name,
      JSON.parse(call.function.arguments),
    ])
  }
  return partsIn(answer).flatMap(part => {
    if (part.type === 'tool_use') return [[part.name, part.input]]
    return part.functionCall ? [[part.functionCall.name, part.functionCall.args]] : []
  })
}
