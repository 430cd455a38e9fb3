/** API keys: where clients may send them and which are refused. */
import { expect, test } from 'bun:test'
import { writeLastUsed } from '../../../src/domain/tokens/lookup.ts'
import { app, listen } from '../../support/app/app.ts'
import { chatBody, client } from '../../support/people/client.ts'
import { errorOf } from '../../support/people/responses.ts'
import { chat } from '../../support/upstream/chat-scripts.ts'
import { channelTo, startUpstream } from '../../support/upstream/served-channel.ts'

const upstream = await startUpstream(chat())
const channel = await channelTo(upstream)
const ann = await client()
const url = `${listen()}/v1/chat/completions`

const post = (headers: Record<string, string>, body: unknown = chatBody()) =>
  fetch(url, { method: 'POST', headers: { 'accept-language': 'en', ...headers }, body: JSON.stringify(body) })

const forms: [string, () => Record<string, string>][] = [
  ['Bearer sk-KEY', () => ({ authorization: `Bearer sk-${ann.key}` })],
  ['Bearer KEY', () => ({ authorization: `Bearer ${ann.key}` })],
  ['bearer, in small letters', () => ({ authorization: `bearer sk-${ann.key}` })],
  ['sk-KEY', () => ({ authorization: `sk-${ann.key}` })],
  ['KEY', () => ({ authorization: ann.key })],
  ['x-api-key', () => ({ 'x-api-key': `sk-${ann.key}` })],
  ['the same key twice', () => ({ 'x-api-key': ann.key, authorization: `Bearer sk-${ann.key}` })],
]
test.each(forms)('%s authenticates the call', async (_, headers) => {
  expect((await post(headers())).status).toBe(200)
})

const wrong: [string, () => Record<string, string>, number, string][] = [
  ['none', () => ({}), 401, 'key_missing'],
  ['an empty one', () => ({ authorization: 'Bearer ' }), 401, 'key_missing'],
  ['an unknown one', () => ({ authorization: `Bearer sk-${'a'.repeat(48)}` }), 401, 'key_invalid'],
  ['no key at all', () => ({ authorization: "Bearer ' or 1=1 --" }), 401, 'key_invalid'],
  ['one with a tail', () => ({ authorization: `Bearer sk-${ann.key}-1-2` }), 401, 'key_invalid'],
  ['two different ones', () => ({ 'x-api-key': 'a'.repeat(48), authorization: ann.key }), 400, 'keys_differ'],
  ['a session', () => ({ cookie: ann.person.cookie, 'tollgate-user': String(ann.person.id) }), 401, 'key_missing'],
  [
    'a channel of one’s choice',
    () => ({ authorization: `Bearer sk-${ann.key}-${channel.id}` }),
    403,
    'channel_choice_forbidden',
  ],
]
test.each(wrong)('%s is refused', async (_, headers, status, code) => {
  expect(await errorOf(await post(headers()))).toMatchObject({ status, code, type: 'tollgate_error' })
})

test('a wrong key is refused before the body is read', async () => {
  const body = new ReadableStream({ start: controller => controller.enqueue(new Uint8Array(1000)) })
  const response = await app.handle(new Request('http://localhost/v1/chat/completions', { method: 'POST', body }))
  expect(response.status).toBe(401)
})

test('the refusal follows Accept-Language', async () => {
  expect((await errorOf(await post({ 'accept-language': 'zh-CN' }))).message).toContain('没有提供 API 密钥')
})

test('a call updates the last use of its key', async () => {
  const bob = await client()
  const used = async () => (await bob.person.get('/api/token/?p=0&size=10')).data[0].accessed_time
  expect(await used()).toBe(0)
  expect((await bob.chat()).status).toBe(200)
  await writeLastUsed()
  expect(await used()).toBeGreaterThan(0)
})

test('a call that is refused for its address is no use of its key', async () => {
  const bob = await client({ allow_ips: '10.0.0.0/8' })
  expect(await errorOf(await bob.chat())).toMatchObject({ status: 403, code: 'address_forbidden' })
  await writeLastUsed()
  expect((await bob.person.get('/api/token/?p=0&size=10')).data[0].accessed_time).toBe(0)
})
