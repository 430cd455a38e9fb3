// @engine sqlite
/** Fields that only other gateways know: a channel that reaches the maker itself leaves them out. */
import { afterAll, describe, expect, test } from 'bun:test'
import { setPrice } from '../../support/app/prices.ts'
import { client, MODEL } from '../../support/people/client.ts'
import { dial, REALTIME_MODEL } from '../../support/people/realtime-client.ts'
import { httpProxy } from '../../support/upstream/proxies.ts'
import { realtimeUpstream } from '../../support/upstream/realtime.ts'
import {
  ANTHROPIC,
  ask,
  billed,
  channel,
  type Door,
  GEMINI,
  OPENAI,
  PLAIN,
  received,
  url,
} from '../../support/upstream/reporting-upstream.ts'
import { channelTo, deleteChannels } from '../../support/upstream/served-channel.ts'

const proxy = await httpProxy(url)

/** A channel whose base URL is the maker's own, which only the proxy can reach. */
const channelAt = (type: number, base_url: string) => channel(type, { proxy: proxy.url }, { base_url })

const gateway = { models: ['a'], route: 'fallback', provider: { only: ['a'] }, preset: 'p', plugins: [{ id: 'web' }] }
const searches = { search_parameters: { mode: 'on' }, enable_search: true, web_search: { enable: true } }
const foreign = { ...gateway, ...searches, providerOptions: { gateway: {} } }

const makers: [Door, number, string, object][] = [
  ['chat', OPENAI, 'http://api.openai.com', { ...foreign, fallbacks: ['a'], speed: 'fast', inference_geo: 'us' }],
  ['chat', OPENAI, 'http://eu.api.openai.com/v1', foreign],
  ['responses', OPENAI, 'http://api.openai.com', { ...foreign, fallbacks: ['a'] }],
  ['messages', ANTHROPIC, 'http://api.anthropic.com', { ...foreign, web_search_options: {} }],
  ['gemini', GEMINI, 'http://generativelanguage.googleapis.com', foreign],
]

describe.each(makers)('%p on channel type %p at %p', (door, type, base_url, fields) => {
  test('fields of other gateways are left out, and the rest arrives', async () => {
    await channelAt(type, base_url)
    for (const stream of door === 'gemini' ? [{}] : [{ stream: false }, { stream: true }]) {
      const extra_body = { models: ['a'] }
      expect((await billed(door, { ...fields, ...stream, extra_body, custom: 1 })).paid).toBe(PLAIN)
      const { body } = received.at(-1)!
      expect(Object.keys(body).filter(name => name in fields || name === 'extra_body')).toEqual([])
      expect(body.custom).toBe(1)
      await billed(door, { models: [], enable_search: false, preset: null, ...stream })
      expect(Object.keys(received.at(-1)!.body).filter(name => name in fields)).toEqual([])
    }
  })

  test('the same fields are refused at another address', async () => {
    await channel(type)
    const ann = await client()
    expect((await ask(ann, door, fields as never)).status).toBe(400)
    await deleteChannels()
    await channelAt(type, `${base_url.replace(/\.com.*/, '')}.com.example.org`)
    expect((await ask(ann, door, fields as never)).status).toBe(400)
    expect(received).toEqual([])
  })
})

test("tools of other makers' chats are left out, and their choice with the last of them", async () => {
  await channelAt(OPENAI, 'http://api.openai.com')
  const search = { type: 'web_search', web_search: { enable: true } }
  const builtin = { type: 'builtin_function', function: { name: '$web_search' } }
  const own = { type: 'function', function: { name: 'look', parameters: {} } }
  expect((await billed('chat', { tools: [search, own, builtin] })).paid).toBe(PLAIN)
  expect(received.at(-1)!.body.tools).toEqual([own])
  expect((await billed('chat', { tools: [search], tool_choice: 'auto', parallel_tool_calls: true })).paid).toBe(PLAIN)
  const { tools, tool_choice, parallel_tool_calls } = received.at(-1)!.body
  expect([tools, tool_choice, parallel_tool_calls]).toEqual([undefined, undefined, undefined])
})

test("the maker's own tariffs and searches keep their rules", async () => {
  await channelAt(OPENAI, 'http://api.openai.com')
  expect((await billed('chat', { service_tier: 'priority', models: ['a'] })).paid).toBe(2 * PLAIN)
  expect((await billed('chat', { web_search_options: {} })).paid).toBe(PLAIN + 12_500)
  const ann = await client()
  expect((await ask(ann, 'chat', { service_tier: 'ultra' })).status).toBe(400)
  await deleteChannels()
  await setPrice('ModelRatio', { [MODEL]: 1.25 })
  await channelAt(ANTHROPIC, 'http://api.anthropic.com')
  expect((await ask(ann, 'messages', { fallbacks: [{ model: 'unknown' }] })).status).toBe(400)
  expect((await ask(ann, 'messages', { speed: 'ludicrous' })).status).toBe(400)
})

test('an event of a session at the maker may name what only other gateways know', async () => {
  await setPrice('ModelRatio', { [REALTIME_MODEL]: 1 })
  const upstream = realtimeUpstream()
  afterAll(() => upstream.stop())
  const realtimeProxy = await httpProxy(upstream.url)
  upstream.turns.push({ usage: { total_tokens: 2, input_tokens: 1, output_tokens: 1 } })
  const setting = JSON.stringify({ proxy: realtimeProxy.url })
  await channelTo('http://api.openai.com', { models: REALTIME_MODEL, setting })
  const call = await dial(await client())
  call.say({ type: 'session.update', session: { service_tier: 'priority' } })
  call.say({ type: 'session.update', session: { provider: { only: ['a'] } } })
  call.say({ type: 'response.create' })
  await call.seen('response.done')
  call.socket.close()
  const errors = call.events.filter(({ type }) => type === 'error').map(({ error }) => error.param)
  expect(errors).toEqual(['session.service_tier'])
  expect(upstream.sessions.at(-1)!.events.map(({ type }) => type)).toEqual(['session.update', 'response.create'])
})
