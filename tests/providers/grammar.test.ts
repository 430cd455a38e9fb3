// @engine sqlite
/** The recorded streams of every provider have the grammar of each client format, cut before any of their events. */
import { expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { ClientFormatName } from '../../src/formats/canonical/chat.ts'
import { isChatUpstream } from '../../src/formats/format.ts'
import { chatFormats, formats } from '../../src/formats/index.ts'
import { eventsOfWhole } from '../../src/net/framed.ts'
import { pickApi, providerOf, type UpstreamApi } from '../../src/providers/index.ts'
import { parseObject } from '../../src/pure/json.ts'
import { asBuffer } from '../../src/stream/sse.ts'
import { labelFor, requestOf, violationsOf } from '../formats/support.ts'
import { awsFrame } from '../support/upstream/aws-frame.ts'
import { type Fixture, modelOf } from '../support/upstream/fixtures.ts'
import type { ScriptedResponse, Server } from '../support/upstream/strict-provider.ts'

const folder = join(import.meta.dir, 'fixtures')

/** The format of the client that asks at a path, for chats. */
const askers: [path: RegExp, client: ClientFormatName][] = [
  [/^\/v1\/chat\/completions$/, 'openai-chat'],
  [/^\/v1\/responses$/, 'openai-responses'],
  [/^\/v1\/messages$/, 'anthropic'],
  [/:streamGenerateContent/, 'gemini'],
]

interface Recording {
  name: string
  api: UpstreamApi
  events: string[]
}

function apiOf({ channel, asks }: Fixture, server: Server): UpstreamApi | undefined {
  const client = askers.find(([path]) => path.test(asks.path))?.[1]
  if (!client) return undefined
  const { type, key = '{}', other, setting, base_url = '' } = { ...server.channel, ...channel }
  return pickApi(providerOf(type)!, {
    operation: client === 'openai-responses' ? 'responses' : 'chat',
    model: modelOf(asks),
    config: { base_url, key, other, setting: typeof setting === 'string' ? JSON.parse(setting) : setting },
    client: chatFormats[client],
    body: asks.body,
  })
}

function bytesOf({ events, frames, bytes, headers }: ScriptedResponse): [Buffer, type: string] | undefined {
  if (frames) return [Buffer.concat(frames.map(awsFrame)), 'application/vnd.amazon.eventstream']
  const type = headers?.['content-type'] ?? 'text/event-stream'
  if (!events) return bytes && /stream|json-?l|ndjson/.test(type) ? [Buffer.from(bytes), type] : undefined
  const texts = events.map(event => (typeof event === 'string' ? event : `data: ${JSON.stringify(event)}`))
  return [Buffer.from(texts.map(text => `${text}\n\n`).join('')), type]
}

function recordingOf(name: string, fixture: Fixture, server: Server): Recording | undefined {
  const api = apiOf(fixture, server)
  const sent = bytesOf(fixture.answers)
  if (!api || !sent || !isChatUpstream(api.format)) return undefined
  const [bytes, type] = sent
  const { rewriteEvent = body => body } = api
  const events = eventsOfWhole(asBuffer(bytes as Buffer<ArrayBuffer>), { ...api, type }).flatMap(data => {
    const body = parseObject(data)
    const rewritten = body && rewriteEvent(body)
    return body && !rewritten ? [] : rewritten ? JSON.stringify(rewritten) : data
  })
  return { name, api, events }
}

const recordings: Recording[] = []
for (const name of readdirSync(folder)) {
  const { server }: { server: Server } = await import(join(folder, name, 'server.ts'))
  for (const file of [...new Bun.Glob('*.json').scanSync(join(folder, name))].sort()) {
    const fixture: Fixture = await Bun.file(join(folder, name, file)).json()
    const recording = recordingOf(`${name}/${file}`, fixture, server)
    if (recording) recordings.push(recording)
  }
}

test('recorded streams of chats: there are many, and of most upstream formats', () => {
  expect(recordings.length).toBeGreaterThan(100)
  expect(new Set(recordings.map(({ api }) => api.format.name)).size).toBeGreaterThan(12)
})

test.each([...formats])('client %s: every recorded stream has the grammar, cut or whole', client => {
  const broken = recordings.flatMap(({ name, api, events }) => {
    if (!isChatUpstream(api.format)) return []
    const route = { client: chatFormats[client], upstream: api.format, label: labelFor(requestOf(client, 'tools')) }
    return violationsOf(route, events).map(rule => `${name}, ${rule}`)
  })
  expect(broken).toEqual([])
})
