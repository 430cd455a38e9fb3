/** Client and upstream of one format: bytes pass unchanged. */
import { afterAll, describe, expect, test } from 'bun:test'
import type { ClientFormatName } from '../../src/formats/canonical/chat.ts'
import { formats } from '../../src/formats/index.ts'
import { wires } from '../formats/wire/index.ts'
import { features, type Json } from '../formats/wire/sse.ts'
import { logsOf } from '../support/app/logs.ts'
import { setOption } from '../support/app/options.ts'
import { client, MODEL } from '../support/people/client.ts'
import { channelOf, events, type FormatUpstream, upstreamOf } from '../support/upstream/format-upstreams.ts'

const ann = await client()
const servers = new Map<ClientFormatName, FormatUpstream>()
const model = (format: ClientFormatName) => `${MODEL}-${format}`
const costing = (ratio: number) => JSON.stringify(Object.fromEntries(formats.map(format => [model(format), ratio])))

await setOption('CostInAnswersEnabled', false)
await setOption('ModelRatio', costing(1))
await setOption('CompletionRatio', costing(4))
for (const format of formats) {
  const server = await upstreamOf(format)
  servers.set(format, server)
  await channelOf(format, server, { models: model(format) })
}
afterAll(() => {
  for (const { violations } of servers.values()) expect(violations).toEqual([])
})

const addresses: Record<ClientFormatName, (streamed: boolean) => string> = {
  'openai-chat': () => '/v1/chat/completions',
  'openai-responses': () => '/v1/responses',
  anthropic: () => '/v1/messages',
  gemini: streamed =>
    `/v1beta/models/${model('gemini')}:${streamed ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
}

function ask(format: ClientFormatName, body: Json, streamed = false, init?: RequestInit) {
  const asked =
    format === 'gemini'
      ? body
      : { ...body, model: model(format), ...(streamed && { stream: true, ...wanting(format) }) }
  return ann.postTo(addresses[format](streamed), asked, init)
}

const wanting = (format: ClientFormatName) =>
  format === 'openai-chat' ? { stream_options: { include_usage: true } } : {}

describe.each([...formats])('%s on both sides', format => {
  const server = () => servers.get(format)!
  const { requests, answers, streams } = wires[format]

  test.each([...features])('%s: responses arrive unchanged', async feature => {
    server().plays(feature)
    expect(await (await ask(format, requests[feature])).text()).toBe(JSON.stringify(answers[feature]))
    expect(await (await ask(format, requests[feature], true)).text()).toBe(streams[feature])
  })

  test('line endings, comments and chunk boundaries pass unchanged', async () => {
    const stream = streams.thinking.replace('\n\n', '\n\n: still there\n\n').replaceAll('\n', '\r\n')
    const { length } = Buffer.from(stream)
    for (let cut = 1; cut < length; cut += 37) {
      server().scripts(async answer => {
        answer.cutAt(cut)
        await events(answer, stream)
      })
      expect(await (await ask(format, requests.thinking, true)).text()).toBe(stream)
    }
    const [entry, ...others] = await logsOf(ann.person)
    expect(others.slice(0, 9).every(({ quota }: Json) => quota === entry.quota)).toBe(true)
    expect(entry).toMatchObject({ completion_tokens: 60, other: { stream_status: 'finished' } })
  })

  test('requests are sent unchanged except for the model', async () => {
    server().plays('text')
    const odd = { unknown_field: { a: [0, false, null, ''], big: '12345678901234567890' } }
    const body: Json =
      format === 'gemini' ? { contents: requests.text.contents, unknownField: odd } : { ...requests.text, ...odd }
    await ask(format, body)
    const { body: sent } = server().asked.at(-1)!
    const { safetySettings: _, ...rest } = sent
    expect(rest).toEqual(format === 'gemini' ? body : { ...body, model: model(format) })
  })

  test('explicit zeros stay in the request', async () => {
    server().plays('text')
    const zeros: Json = { temperature: 0, topP: 0 }
    const body: Json =
      format === 'gemini'
        ? { contents: requests.text.contents, generationConfig: zeros }
        : { ...requests.text, temperature: 0, top_p: 0 }
    await ask(format, body)
    const { generationConfig, temperature, top_p } = server().asked.at(-1)!.body
    expect(format === 'gemini' ? generationConfig : { temperature, topP: top_p }).toEqual(zeros)
  })

  test('a stream that is cut off ends with an error and is billed for what came', async () => {
    const [half] = [streams.text.slice(0, streams.text.indexOf('四'))]
    server().scripts(answer => events(answer, half.slice(0, half.lastIndexOf('\n\n') + 2)))
    const text = await (await ask(format, requests.text, true)).text()
    expect(text).toContain('request id: req_')
    expect((await logsOf(ann.person))[0]).toMatchObject({ other: { partial: true, stream_status: 'broken' } })
    expect((await logsOf(ann.person))[0].completion_tokens).toBeGreaterThan(0)
  })

  test('an invalid response is refused', async () => {
    server().scripts(answer => answer.json({ hello: 'world' }))
    expect((await ask(format, requests.text)).status).toBe(502)
    server().scripts(answer => events(answer, 'data: hello\n\n'))
    expect((await ask(format, requests.text, true)).status).toBe(502)
  })
})

test('beta and version headers reach upstreams of their format only', async () => {
  servers.get('anthropic')!.plays('text')
  const headers = { 'anthropic-beta': 'new-2026', 'anthropic-version': '2025-01-01' }
  await ask('anthropic', wires.anthropic.requests.text, false, { headers })
  expect(servers.get('anthropic')!.asked.at(-1)!.headers).toMatchObject(headers)
  await ann.postTo('/v1/messages', { ...wires.anthropic.requests.text, model: model('gemini') }, { headers })
  expect(Object.keys(servers.get('gemini')!.asked.at(-1)!.headers).join()).not.toContain('anthropic')
})

test('Gemini streams are a JSON array without alt=sse', async () => {
  servers.get('gemini')!.plays('tools')
  const path = `/v1beta/models/${model('gemini')}:streamGenerateContent`
  const response = await ann.postTo(path, wires.gemini.requests.tools)
  expect(response.headers.get('content-type')).toBe('application/json')
  const list = (await response.json()) as Json[]
  const streamed = wires.gemini.streams.tools
    .trim()
    .split('\n\n')
    .map(event => JSON.parse(event.slice(6)))
  expect(list).toEqual(streamed)
})
