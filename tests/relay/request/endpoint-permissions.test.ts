/** Restrictions of key, user and operator apply at every endpoint. */
import { afterEach, describe, expect, test } from 'bun:test'
import { setOption } from '../../support/app/options.ts'
import { type Client, client, clientOf } from '../../support/people/client.ts'
import { recording } from '../../support/people/speech-file.ts'
import { channelTo } from '../../support/upstream/served-channel.ts'

/** Served by a disabled channel only: an allowed call answers 503, and no endpoint needs an upstream of its own. */
const NOBODYS = 'nobodys-model'
const LET_IN = 503

function form(fields: Record<string, string | File>): FormData {
  const data = new FormData()
  for (const [name, value] of Object.entries({ model: NOBODYS, ...fields })) data.set(name, value)
  return data
}

const picture = () => new File(['bytes'], 'a.png', { type: 'image/png' })

type Words = (text: string) => object
const said = (content: string) => [{ role: 'user', content }]
const google: Words = text => ({ contents: [{ parts: [{ text }] }] })
const model = NOBODYS

const doors: [path: string, words: Words][] = [
  ['/v1/chat/completions', text => ({ model, messages: said(text) })],
  ['/v1/responses', text => ({ model, input: text })],
  ['/v1/messages', text => ({ model, max_tokens: 9, messages: said(text) })],
  [`/v1beta/models/${NOBODYS}:generateContent`, google],
  [`/v1beta/models/${NOBODYS}:streamGenerateContent?alt=sse`, google],
  [`/v1/models/${NOBODYS}:generateContent`, google],
  [`/v1beta/models/${NOBODYS}:embedContent`, text => ({ content: { parts: [{ text }] } })],
  [
    `/v1beta/models/${NOBODYS}:batchEmbedContents`,
    text => ({ requests: [{ model: `models/${NOBODYS}`, content: { parts: [{ text }] } }] }),
  ],
  ['/v1/completions', text => ({ model, prompt: text })],
  ['/v1/embeddings', text => ({ model, input: ['fine', text] })],
  [`/v1/engines/${NOBODYS}/embeddings`, text => ({ input: text })],
  ['/v1/moderations', text => ({ model, input: [{ type: 'text', text }] })],
  ['/v1/rerank', text => ({ model, query: 'fine', documents: ['fine', { text }] })],
  ['/rerank', text => ({ model, query: text, documents: ['fine'] })],
  ['/v1/images/generations', text => ({ model, prompt: text })],
  ['/v1/images/edits', text => form({ prompt: text, image: picture() })],
  ['/v1/images/variations', text => form({ user: 'u', image: picture(), note: text })],
  ['/v1/audio/speech', text => ({ model, voice: 'alloy', input: text })],
  ['/v1/audio/transcriptions', text => form({ prompt: text, file: recording(1) })],
  ['/v1/audio/translations', text => form({ prompt: text, file: recording(1) })],
  ['/hf/v1/chat/completions', text => ({ model, messages: said(text) })],
  ['/hf/v1/images/edits', text => form({ prompt: text, image: picture() })],
]

const handshake = { upgrade: 'websocket', connection: 'Upgrade' }

interface Asking {
  words?: string
  headers?: Record<string, string>
}

type Ask = (who: Client, asking?: Asking) => Promise<number>

/** Each door that takes words, as a question that is answered with a status. */
const spoken = doors.map(([path, words]): [string, Ask] => [
  path,
  async (who, { words: text = 'hello', headers } = {}) => (await who.postTo(path, words(text), { headers })).status,
])
const realtime: Ask = async (who, { headers } = {}) =>
  (await who.get(`/v1/realtime?model=${NOBODYS}`, { ...handshake, ...headers })).status

const switches: [string, unknown][] = [
  ['global.block_browser_extension_enabled', false],
  ['global.rate_limit_exempt_enabled', false],
  ['global.rate_limit_exempt_group', 'bulk-ok'],
  ['global.safe_check_exempt_enabled', false],
  ['global.safe_check_exempt_group', 'nsfw-ok'],
  ['ModelRequestRateLimitEnabled', false],
  ['ModelRequestRateLimitCount', 0],
  ['UserUsableGroups', JSON.stringify({ default: 'Default' })],
]
const asItWas = async () => {
  for (const [name, value] of switches) await setOption(name, value)
}

afterEach(asItWas)
await setOption('GroupRatio', JSON.stringify({ default: 1, 'bulk-ok': 1, 'nsfw-ok': 1 }))
await channelTo('http://127.0.0.1:9', { models: NOBODYS, group: 'default,bulk-ok,nsfw-ok', status: 2 })
const offer = (...groups: string[]) =>
  setOption('UserUsableGroups', JSON.stringify(Object.fromEntries(groups.map(name => [name, name]))))

describe.each([...spoken, ['/v1/realtime', realtime]] as [string, Ask][])('permissions at %s', (_, ask) => {
  test('a permitted key is admitted', async () => {
    expect(await ask(await client())).toBe(LET_IN)
    expect(await ask(await client({ model_limits_enabled: true, model_limits: `a,${NOBODYS}` }))).toBe(LET_IN)
    expect(await ask(await client({ allow_ips: '127.0.0.0/8' }))).toBe(LET_IN)
  })

  test('a wrong key, address or model is refused', async () => {
    const ann = await client()
    expect(await ask(ann, { headers: { authorization: 'Bearer sk-nobody' } })).toBe(401)
    expect(await ask(await client({ allow_ips: '10.0.0.1' }))).toBe(403)
    expect(await ask(await client({ model_limits_enabled: true, model_limits: 'another' }))).toBe(403)
    await offer('default', 'bulk-ok')
    const bulk = await client({ group: 'bulk-ok' })
    expect(await ask(bulk)).toBe(LET_IN)
    await offer('default')
    expect(await ask(bulk)).toBe(403)
  })

  test('browser extensions are refused while the option is on', async () => {
    const ann = await client()
    const headers = { origin: 'chrome-extension://abcdef' }
    expect(await ask(ann, { headers })).toBe(LET_IN)
    await setOption('global.block_browser_extension_enabled', true)
    expect(await ask(ann, { headers })).toBe(403)
    expect(await ask(ann, { headers: { origin: 'https://example.com' } })).toBe(LET_IN)
  })

  test('calls count towards key and user limits, except in the exempt group', async () => {
    const limited = await client({ rate_limit_enabled: true, rate_limit_count: 1, rate_limit_success: 0 })
    expect([await ask(limited), await ask(limited)]).toEqual([LET_IN, 429])

    await setOption('ModelRequestRateLimitEnabled', true)
    await setOption('ModelRequestRateLimitCount', 1)
    const ann = await client()
    expect([await ask(ann), await ask(ann)]).toEqual([LET_IN, 429])

    await offer('default', 'bulk-ok')
    await setOption('global.rate_limit_exempt_enabled', true)
    const bulk = await clientOf(ann.person, { group: 'bulk-ok' })
    expect([await ask(bulk), await ask(bulk)]).toEqual([LET_IN, LET_IN])
    expect(await ask(ann)).toBe(429)
  })
})

test.each(spoken)('%s checks sensitive words, except in the exempt group', async (_, ask) => {
  const asking = { words: 'so test_sensitive' }
  const ann = await client()
  expect(await ask(ann, asking)).toBe(400)
  await offer('default', 'nsfw-ok')
  await setOption('global.safe_check_exempt_enabled', true)
  expect(await ask(await clientOf(ann.person, { group: 'nsfw-ok' }), asking)).toBe(LET_IN)
  expect(await ask(ann, asking)).toBe(400)
})

const questions: [string, Ask][] = [
  ...[
    '/v1/models',
    `/v1/models/${NOBODYS}`,
    '/v1beta/models',
    '/hf/v1/models',
    '/dashboard/billing/subscription',
    '/v1/dashboard/billing/usage',
    '/api/usage/token',
  ].map((path): [string, Ask] => [path, async (who, { headers } = {}) => (await who.get(path, headers)).status]),
  ...[
    ['/v1/messages/count_tokens', { model, messages: said('hello') }] as const,
    [`/v1beta/models/${NOBODYS}:countTokens`, google('hello')] as const,
  ].map(([path, body]): [string, Ask] => [
    path,
    async (who, { headers } = {}) => (await who.postTo(path, body, { headers })).status,
  ]),
]

test.each(questions)('the lookup at %s checks key and address', async (_, ask) => {
  expect(await ask(await client())).toBeOneOf([200, 404])
  expect(await ask(await client(), { headers: { authorization: 'Bearer sk-nobody' } })).toBe(401)
  expect(await ask(await client({ allow_ips: '10.0.0.1' }))).toBe(403)
  await offer('default', 'bulk-ok')
  const bulk = await client({ group: 'bulk-ok' })
  await offer('default')
  expect(await ask(bulk)).toBe(403)
})
