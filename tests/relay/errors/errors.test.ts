/** Error responses for clients and error logs for operators. */
import { afterEach, describe, expect, test } from 'bun:test'
import { logsOf } from '../../support/app/logs.ts'
import { setOption } from '../../support/app/options.ts'
import { client, clientOf, MODEL } from '../../support/people/client.ts'
import { errorOf, readStream } from '../../support/people/responses.ts'
import { chat, streams } from '../../support/upstream/chat-scripts.ts'
import { answers } from '../../support/upstream/endpoint-scripts.ts'
import { errorBody } from '../../support/upstream/openai.ts'
import { channelTo, startUpstream } from '../../support/upstream/served-channel.ts'

const upstream = await startUpstream(chat())
await channelTo(upstream)
const ann = await client()

afterEach(async () => {
  await setOption('global.hide_upstream_error_enabled', false)
  await setOption('LogErrorEnabled', false)
  upstream.scripts(MODEL, chat())
})

const saying = 'The moon at https://inside.example/v1?key=1 is too far for sk-upstream'

describe('errors of an upstream', () => {
  test('messages are redacted or hidden, while type and code always pass', async () => {
    upstream.scripts(MODEL, answers(422, errorBody(saying, 'moon_error', 'too_far', 'moon')))
    const open = await errorOf(await ann.chat())
    expect(open).toMatchObject({ status: 422, type: 'moon_error', code: 'too_far', param: 'moon' })
    expect(open.message).toStartWith('The moon at *** is too far for ***')

    await setOption('global.hide_upstream_error_enabled', true)
    const hidden = await errorOf(await ann.chat())
    expect(hidden).toMatchObject({ status: 422, type: 'moon_error', code: 'too_far', param: 'moon' })
    expect(hidden.message).toStartWith('Upstream error with status code 422')
  })

  test("errors about the operator's account are never shown", async () => {
    upstream.scripts(MODEL, answers(401, errorBody('Your account acct-77 is closed', 'auth', 'account_closed')))
    expect(await errorOf(await ann.chat())).toMatchObject({
      status: 502,
      type: 'upstream_error',
      code: 'upstream_refused',
      message: expect.not.stringContaining('acct'),
    })
  })

  test('rate limits of the upstream answer one sentence, hidden or not', async () => {
    upstream.scripts(MODEL, answers(429, errorBody('Limit 10 of org-77', 'requests', 'rate_limit_exceeded')))
    for (const hide of [false, true]) {
      await setOption('global.hide_upstream_error_enabled', hide)
      const { status, message } = await errorOf(await ann.chat())
      expect([status, message.includes('saturated'), message.includes('org-77')]).toEqual([429, true, false])
    }
  })

  test('long messages are cut without a part of a key at the end', async () => {
    const key = 'AbCdEfGhIjKlMnOpQrStUvWxYz'
    const other = await startUpstream(undefined, 'gpt-4o-mini')
    other.keys.add(key)
    await channelTo(other, { key, models: 'gpt-4o-mini' })
    for (const length of [480, 490, 499]) {
      other.scripts('gpt-4o-mini', answers(400, errorBody(`${'.'.repeat(length)}${key}${'!'.repeat(1000)}`, 'x')))
      const { message } = await errorOf(await ann.chat({ model: 'gpt-4o-mini' }))
      expect(message).toStartWith('.'.repeat(480))
      expect(message).not.toContain(`.${key.slice(0, 1)}`)
      expect(message.length).toBeLessThan(600)
    }
  })

  test('errors inside a stream are hidden too', async () => {
    await setOption('global.hide_upstream_error_enabled', true)
    const piece = { id: 'x', choices: [{ index: 0, delta: { content: 'so far' } }] }
    const events = [piece, errorBody(saying, 'server_error')].map(event => `data: ${JSON.stringify(event)}\n\n`)
    upstream.scripts(MODEL, streams(events))
    const stream = await readStream(await ann.stream())
    expect(stream).toMatchObject({ text: 'so far', done: false, error: { type: 'server_error' } })
    expect(stream.error.message).toStartWith('Upstream error with status code 5')
  })

  test("logs hold the redacted error for operators and the client's message for users", async () => {
    const bob = await client()
    await setOption('LogErrorEnabled', true)
    await setOption('global.hide_upstream_error_enabled', true)
    upstream.scripts(MODEL, answers(403, errorBody('Your account acct-77 is closed', 'auth', 'account_closed')))
    const { message } = await errorOf(await bob.chat())
    const [entry] = await logsOf(bob.person, 6)
    expect(entry.other.admin_info.attempts).toMatchObject([{ status: 403, reason: 'Your account acct-77 is closed' }])
    expect(message).toStartWith(entry.content)

    const { data } = await bob.person.get('/api/log/self?p=1&page_size=10&type=6')
    expect(data.items).toHaveLength(1)
    expect(JSON.stringify(data.items)).not.toContain('acct-77')
  })
})

describe('refusals by the gateway', () => {
  test("a refusal has a stable code and a message in the client's language", async () => {
    const of = async (language: string) =>
      errorOf(await ann.post('[]', { headers: { 'accept-language': language, 'x-nothing': '1' } }))
    const [english, chinese] = [await of('en'), await of('zh')]
    expect([english.code, chinese.code, english.type]).toEqual(['body_not_object', 'body_not_object', 'tollgate_error'])
    expect(chinese.message).toMatch(/\p{Script=Han}/u)
    expect(english.message).not.toMatch(/\p{Script=Han}/u)
  })

  test.each(['/v1/chat/completions', '/v1/nothing', '/v1beta/models/m:generateContent', '/rerank', '/hf/v1/messages'])(
    'errors at %s are English unless Accept-Language prefers Chinese',
    async path => {
      const isChinese = async (language: string, cookie = '') => {
        const headers = { 'accept-language': language, cookie }
        const response = await fetch(ann.url + path, { method: 'POST', headers, body: '{}' })
        return /\p{Script=Han}/u.test(await response.text())
      }
      for (const language of ['', '*', 'de', 'en, zh;q=0.5']) expect(await isChinese(language)).toBe(false)
      expect(await isChinese('en', 'language=zh')).toBe(false)
      expect(await isChinese('zh-CN, en;q=0.5')).toBe(true)
    },
  )

  test('an unknown model answers 404 in the format of the client', async () => {
    const body = { model: 'unknown', max_tokens: 1, messages: [{ role: 'user', content: 'Hi' }] }
    const errorOf = async (path: string, fields: object) => (await (await ann.postTo(path, fields)).json()) as any
    expect((await errorOf('/v1/chat/completions', body)).error).toMatchObject({
      type: 'invalid_request_error',
      code: 'model_not_found',
      param: 'model',
    })
    expect((await errorOf('/v1/messages', body)).error).toMatchObject({ type: 'not_found_error' })
    const contents = [{ role: 'user', parts: [{ text: 'Hi' }] }]
    expect((await errorOf('/v1beta/models/unknown:generateContent', { contents })).error).toMatchObject({
      code: 404,
      status: 'NOT_FOUND',
    })
  })

  test('a refusal before the body is read has the same format', async () => {
    const stranger = await clientOf(ann.person)
    const wrong = { headers: { authorization: 'Bearer sk-nobody' } }
    expect(await errorOf(await stranger.chat({}, wrong))).toMatchObject({
      status: 401,
      code: 'key_invalid',
      param: null,
    })
  })

  test('every client gets refusals in its own format', async () => {
    const ask = async (path: string, headers: Record<string, string>) => {
      const response = await fetch(ann.url + path, { headers: { 'accept-language': 'en', ...headers } })
      return [response.status, await response.json()]
    }
    const anthropic = { 'x-api-key': 'sk-nobody', 'anthropic-version': '2023-06-01' }
    const message = expect.stringContaining('(request id: ')
    const refused = { type: 'error', error: { type: 'authentication_error', message } }
    expect(await ask('/v1/models', anthropic)).toEqual([401, refused])
    expect(await ask('/v1/messages/nothing', anthropic)).toEqual([
      404,
      { type: 'error', error: { type: 'not_found_error', message } },
    ])
    expect(await ask('/v1beta/models', { 'x-goog-api-key': 'sk-nobody' })).toEqual([
      401,
      { error: { code: 401, message, status: 'UNAUTHENTICATED' } },
    ])
    expect(await ask('/v1/models', { authorization: 'Bearer sk-nobody' })).toEqual([
      401,
      { error: { message, type: 'tollgate_error', param: null, code: 'key_invalid' } },
    ])
  })

  test('calls from browser extensions are refused while the option is on', async () => {
    const from = (origin: string) => ann.chat({}, { headers: { origin } })
    await setOption('global.block_browser_extension_enabled', true)
    for (const origin of ['chrome-extension://abcdef', 'moz-extension://abcdef', 'safari-web-extension://x'])
      expect(await errorOf(await from(origin))).toMatchObject({ status: 403, code: 'browser_extension_blocked' })
    expect((await from('https://extensions.example.com')).status).toBe(200)
    await setOption('global.block_browser_extension_enabled', false)
    expect((await from('chrome-extension://abcdef')).status).toBe(200)
  })
})
