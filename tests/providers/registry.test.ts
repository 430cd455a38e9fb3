// @engine sqlite
/** The list of channel types, and the request that is built for one. */
import { expect, test } from 'bun:test'
import { probeFor } from '../../src/domain/channels/probing/probe-models.ts'
import { familyOf, isAvailable, keysIn, type Provider, providerOf, providers } from '../../src/providers/index.ts'
import { setUp } from '../support/people/person.ts'
import { chat } from '../support/upstream/chat-scripts.ts'
import { requestFor } from '../support/upstream/request.ts'
import { served } from '../support/upstream/served-channel.ts'

const body = { model: 'asked', messages: [{ role: 'user', content: 'hi' }] }
const callOf = (fields: object = {}) => ({ type: 1, base_url: '', key: 'sk-1', ...fields })

test('every channel type has a number and a label of its own', () => {
  expect(new Set(providers.map(({ type }) => type)).size).toBe(providers.length)
  expect(new Set(providers.map(({ label }) => label)).size).toBe(providers.length)
})

test('the successor of a service that has ended is available', () => {
  const ended = providers.filter(({ ended }) => ended?.successor !== undefined)
  expect(ended.map(({ type, ended }) => [type, isAvailable(providerOf(ended!.successor!)!)])).toEqual(
    ended.map(({ type }) => [type, true]),
  )
  expect(providerOf(15)!.ended).toEqual({ on: '2026-08-31', successor: 46 })
})

/** Types of tasks alone are asked for the states of none, whatever the model. */
const hasTasks = ({ apis }: Provider) => Object.values(apis).every(({ task }) => task)
const listed = providers.filter(one => isAvailable(one) && one.models.length && !hasTasks(one))

test.each(listed.map(one => [one.label, one] as const))(
  'the channel test of %s asks for a model of its list',
  (_, one) => {
    const { model = '' } = one.quirks.probe ?? {}
    expect(one.models).toContain(model)
    const operations = familyOf(one).flatMap(({ apis }) => Object.keys(apis))
    expect(operations).toContain(probeFor(model, one.type)?.operation ?? 'none')
  },
)

test.each([
  [1, 'gpt-5,gpt-4o-mini,o3', 'gpt-4o-mini'],
  [25, 'kimi-k3,moonshot-v1-8k', 'moonshot-v1-8k'],
  [43, 'deepseek-reasoner,deepseek-chat', 'deepseek-chat'],
])('a test of type %d with the models %s asks for %s, or for the model of the channel', async (type, models, model) => {
  const root = await setUp()
  const own = models.split(',')[0]!
  const { id, upstream } = await served(chat(), { type, models }, model)
  upstream.scripts(own, chat())
  expect(await root.get(`/api/channel/test/${id}`)).toMatchObject({ success: true })
  await root.put('/api/channel/', { id, test_model: own })
  expect(await root.get(`/api/channel/test/${id}`)).toMatchObject({ success: true })
  expect(upstream.journal.map(({ body }) => body.model)).toEqual([model, own])
})

const bases: [base: string, url: string][] = [
  ['', 'https://api.openai.com/v1/chat/completions'],
  ['https://a.example', 'https://a.example/v1/chat/completions'],
  ['https://a.example//', 'https://a.example/v1/chat/completions'],
  ['https://a.example/v1', 'https://a.example/v1/chat/completions'],
  ['https://a.example/api/paas/v4', 'https://a.example/api/paas/v4/chat/completions'],
  ['https://a.example/compatible-mode/v1/', 'https://a.example/compatible-mode/v1/chat/completions'],
  [
    'https://gateway.ai.cloudflare.com/v1/x/y/openai',
    'https://gateway.ai.cloudflare.com/v1/x/y/openai/chat/completions',
  ],
]
test.each(bases)('OpenAI: with base URL %p, chats go to %s', (base_url, url) => {
  expect(requestFor(callOf({ base_url }), 'chat', 'm', body)?.url).toBe(url)
})

test('Custom: the base URL is used as it is, with the model in it', () => {
  const base_url = 'https://a.example/deploy/{model}/chat?key=1'
  expect(requestFor(callOf({ type: 8, base_url }), 'chat', 'my model', body)?.url).toBe(
    'https://a.example/deploy/my%20model/chat?key=1',
  )
})

test('OpenAI: a request carries key, organisation and upstream model', () => {
  const request = requestFor(callOf({ openai_organization: 'org' }), 'chat', 'm', body)!
  expect(request.headers).toEqual({
    'content-type': 'application/json',
    authorization: 'Bearer sk-1',
    'openai-organization': 'org',
  })
  expect(JSON.parse(String(request.body))).toEqual({ ...body, model: 'm' })
})

test('param_override changes every field but stream', () => {
  const request = requestFor(callOf({ param_override: { top_p: 0, stream: true } }), 'chat', 'm', body)!
  expect(JSON.parse(String(request.body))).toEqual({ ...body, model: 'm', top_p: 0 })
})

test('a type without chats, and an unknown one, build no request of a chat', () => {
  expect(requestFor(callOf({ type: 2 }), 'chat', 'm', body)).toBeUndefined()
  expect(requestFor(callOf({ type: 999 }), 'chat', 'm', body)).toBeUndefined()
})

test('commas separate keys, except the JSON keys of Vertex AI', () => {
  expect(keysIn(providerOf(1)!, ' a, b ,,c\n')).toEqual(['a', 'b', 'c'])
  expect(keysIn(providerOf(41)!, '{"a":1,"b":2}')).toEqual(['{"a":1,"b":2}'])
})
