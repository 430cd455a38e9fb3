// @engine sqlite
/** Every client format with every upstream format: official clients, strict upstreams, and equal bills on every way. */
import { describe, expect, test } from 'bun:test'
import { APIError as AnthropicError } from '@anthropic-ai/sdk'
import { ApiError as GoogleError } from '@google/genai'
import { APIError as OpenAiError } from 'openai'
import { assemble } from '../../src/formats/canonical/assemble.ts'
import type { ChatRequest, ChatResponse, ClientFormatName } from '../../src/formats/canonical/chat.ts'
import { chatFormats, formats } from '../../src/formats/index.ts'
import { expected, meaningOf, told } from '../formats/matrix.ts'
import { eventsOf, requestOf, wired } from '../formats/support.ts'
import { wires } from '../formats/wire/index.ts'
import { type Feature, features, type Json, unnamed } from '../formats/wire/sse.ts'
import { setOption } from '../support/app/options.ts'
import { client } from '../support/people/client.ts'
import { speakers } from '../support/people/sdk-clients.ts'
import { channelOf, type FormatUpstream, upstreamOf } from '../support/upstream/format-upstreams.ts'

/** What a model is called upstream: its traits decide how some things are said, and whether it answers in a chat. */
const names: Record<ClientFormatName, string> = {
  'openai-chat': 'm',
  'openai-responses': 'codex-mini',
  anthropic: 'm',
  gemini: 'm',
}
const nameOf = (format: ClientFormatName, feature: Feature) =>
  format === 'anthropic' && feature === 'schema' ? 'claude-sonnet-4-5' : names[format]
const asked = (format: ClientFormatName, feature: Feature) => `${format}-${feature}`

const failing = (upstream: ClientFormatName, caller: ClientFormatName, streamed: boolean) =>
  `${upstream}-for-${caller}-${streamed ? 'streamed' : 'whole'}`
const models = formats.flatMap(upstream => [
  ...features.map(feature => asked(upstream, feature)),
  ...formats.flatMap(caller => [false, true].map(streamed => failing(upstream, caller, streamed))),
])
const costing = (ratio: number) => JSON.stringify(Object.fromEntries(models.map(model => [model, ratio])))

await setOption('ModelRatio', costing(1))
await setOption('CompletionRatio', costing(4))
await setOption('CacheRatio', costing(0.5))
const ann = await client()
const speaking = Object.fromEntries(formats.map(format => [format, speakers[format](ann)]))

const servers = new Map<ClientFormatName, FormatUpstream>()
for (const format of formats) {
  const server = await upstreamOf(format)
  servers.set(format, server)
  const mapping = Object.fromEntries(features.map(feature => [asked(format, feature), nameOf(format, feature)]))
  const models = Object.keys(mapping).join(',')
  // Marks that only the gateway sets have their own test.
  const setting = JSON.stringify({ auto_cache: false })
  await channelOf(format, server, { models, model_mapping: JSON.stringify(mapping), setting })
}

const quotas = new Map<Feature, number>()

describe.each([...formats])('upstream format %s', upstream => {
  const server = servers.get(upstream)!

  describe.each([...formats])('client format %s', caller => {
    const cells = features.flatMap(feature => [false, true].map(streamed => [feature, streamed] as const))
    test.each(cells)('%s, streamed: %p', async (feature, streamed) => {
      server.plays(feature)
      const before = await ann.balance()
      const body = { ...wires[caller].requests[feature], model: asked(upstream, feature) }
      const answer = streamed ? await speaking[caller]!.streamed(body) : await speaking[caller]!.whole(body)
      expect(server.violations).toEqual([])
      const both = [caller, upstream]
      const sent = received(upstream, server.asked.at(-1)!.body)
      expect(sense(sent, both)).toEqual(sense(requestOf(upstream, feature), both))
      expect(told(understood(caller, answer), upstream)).toEqual(expected(caller, upstream, feature))
      const quota = before - (await ann.balance())
      expect(quota).toBe(quotas.get(feature) ?? quota)
      expect(quota).toBeGreaterThan(0)
      quotas.set(feature, quota)
    })
  })
})

/** What an upstream makes of what it is asked, whatever the model is called. */
const received = (upstream: ClientFormatName, body: Json) =>
  chatFormats[upstream].readRequest(body, { model: '', stream: false }) as ChatRequest

const sense = (request: ChatRequest, both: ClientFormatName[]) =>
  meaningOf({ ...request, model: '', stream: false }, both)

function understood(caller: ClientFormatName, answer: unknown): ChatResponse {
  if (Array.isArray(answer)) return assemble(eventsOf(chatFormats[caller], unnamed(answer)))
  return chatFormats[caller].readResponse(wired(answer))!
}

describe('errors between formats', () => {
  const errors: Record<ClientFormatName, new (...args: never[]) => Error> = {
    'openai-chat': OpenAiError,
    'openai-responses': OpenAiError,
    anthropic: AnthropicError,
    gemini: GoogleError,
  }
  const cells = formats.flatMap(upstream =>
    formats.flatMap(caller => [false, true].map(streamed => [upstream, caller, streamed] as const)),
  )
  test.each(cells)('from %s to a client of %s, streamed: %p', async (upstream, caller, streamed) => {
    const server = servers.get(upstream)!
    server.plays('error')
    const model = failing(upstream, caller, streamed)
    await channelOf(upstream, server, { models: model, model_mapping: JSON.stringify({ [model]: names[upstream] }) })
    const body = { ...wires[caller].requests.text, model }
    const speaker = speaking[caller]!
    const error = await (streamed ? speaker.streamed(body) : speaker.whole(body)).catch((error: Error) => error)
    expect(error).toBeInstanceOf(errors[caller])
    if (!streamed) expect(error).toMatchObject({ status: 429 })
    expect((error as Error).message).toContain('request id: req_')
  })
})
