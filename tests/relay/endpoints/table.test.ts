/** The table of API routes: 404, 405, 501, preflight, model list. */
import { expect, test } from 'bun:test'
import { listen } from '../../support/app/app.ts'
import { client, MODEL } from '../../support/people/client.ts'
import { errorOf } from '../../support/people/responses.ts'
import { chat } from '../../support/upstream/chat-scripts.ts'
import { channelTo, startUpstream } from '../../support/upstream/served-channel.ts'

const upstream = await startUpstream(chat())
await channelTo(upstream)
const ann = await client()

const knock = (method: string, path: string, headers: Record<string, string> = {}) =>
  fetch(listen() + path, {
    method,
    headers: { 'accept-language': 'en', authorization: `Bearer ${ann.key}`, ...headers },
  })

test('an unknown path answers 404, a wrong method 405, an unavailable API 501', async () => {
  expect(await errorOf(await knock('POST', '/v1/nothing'))).toMatchObject({
    status: 404,
    type: 'invalid_request_error',
    message: expect.stringContaining('POST /v1/nothing'),
  })
  expect(await errorOf(await knock('GET', '/v1/chat/completions'))).toMatchObject({
    status: 405,
    code: 'method_not_allowed',
  })
  for (const address of ['POST /v1/edits', 'POST /hf/v1/edits', 'DELETE /v1/models/gpt-4o']) {
    const [method = '', path = ''] = address.split(' ')
    expect(await errorOf(await knock(method, path))).toMatchObject({ status: 501, code: 'api_not_implemented' })
  }
})

test('files and batches answer 404 in the shape of the caller, which no SDK repeats', async () => {
  const openAi = { error: { type: 'invalid_request_error', message: expect.stringContaining('Invalid URL') } }
  const claude = { type: 'error', error: { type: 'not_found_error' } }
  const version = { 'anthropic-version': '2023-06-01' }
  const shapes: [string, Record<string, string>, object][] = [
    ...['GET /v1/files', 'POST /v1/files', 'DELETE /v1/files/file_1', 'GET /v1/files/file_1/content'].flatMap(
      (address): [string, Record<string, string>, object][] => [
        [address, {}, openAi],
        [address, version, claude],
        [address.replace('/v1', '/hf/v1'), version, claude],
      ],
    ),
    ['POST /v1/messages/batches', {}, claude],
    ['GET /v1/messages/batches/msgbatch_1', version, claude],
    ['POST /v1/batches', {}, openAi],
    ['POST /v1/conversations', {}, openAi],
    ['POST /upload/v1beta/files', {}, { error: { code: 404, status: 'NOT_FOUND' } }],
  ]
  for (const [address, headers, shape] of shapes) {
    const [method = '', path = ''] = address.split(' ')
    const response = await knock(method, path, headers)
    expect([address, response.status]).toEqual([address, 404])
    expect(await response.json()).toMatchObject(shape)
  }
})

test.each([
  '/v1/chat/completions',
  '/hf/v1/messages',
  '/v1beta/models/m:generateContent',
  '/rerank',
  '/dashboard/billing/usage',
])('preflight requests at %s are answered', async path => {
  const response = await knock('OPTIONS', path, { origin: 'https://elsewhere.example' })
  expect(response.status).toBe(204)
  expect(response.headers.get('access-control-allow-methods')).toContain('POST')
  expect(response.headers.get('access-control-allow-credentials')).toBeNull()
})

test('the model list holds what the key may use', async () => {
  await channelTo(upstream, { models: 'nobody-priced-this' })
  const list = (await (await knock('GET', '/v1/models')).json()) as any
  expect(list).toMatchObject({ object: 'list' })
  const ids = list.data.map((model: { id: string }) => model.id)
  expect(ids).toContain(MODEL)
  expect(ids).not.toContain('nobody-priced-this')
  expect(await (await knock('GET', `/v1/models/${MODEL}`)).json()).toMatchObject({ id: MODEL, object: 'model' })
  expect(await errorOf(await knock('GET', '/v1/models/none'))).toMatchObject({
    status: 404,
    code: 'model_not_found',
    param: 'model',
  })
  const bob = await client({ model_limits_enabled: true, model_limits: 'gpt-4o-mini' })
  expect(await (await knock('GET', '/v1/models', { authorization: bob.key })).json()).toMatchObject({ data: [] })
  expect(await errorOf(await knock('GET', '/v1/models', { authorization: '' }))).toMatchObject({ status: 401 })
})

test('a call that loops back is refused', async () => {
  await channelTo(listen(), { models: 'gpt-4o-2024-05-13', key: ann.key })
  expect(await errorOf(await ann.chat({ model: 'gpt-4o-2024-05-13' }))).toMatchObject({ status: 502 })
})
