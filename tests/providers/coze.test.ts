// @engine sqlite
/** Coze beyond its recorded calls: its own client proves the strict server; conversations, uploads, the bot's id. */
import { describe, expect, test } from 'bun:test'
import { createReadStream } from 'node:fs'
import { AuthenticationError, ChatEventType, CozeAPI, RoleType, type StreamChatReq } from '@coze/api'
import { setOption } from '../support/app/options.ts'
import { client, clientOf } from '../support/people/client.ts'
import { setUp } from '../support/people/person.ts'
import { errorOf } from '../support/people/responses.ts'
import { makeChannel } from '../support/upstream/channel.ts'
import { asStream, continuing, conversationServer, sendEvents } from '../support/upstream/conversations.ts'
import { type Json, strictProvider } from '../support/upstream/strict-provider.ts'
import { server as strict } from './fixtures/coze/server.ts'

const BOT = '7428000000000000001'
const CONVERSATION = '7430000000000000009'
const root = await setUp()
const ann = await client()

const event = (name: string, data: Json) => `event:${name}\ndata:${JSON.stringify(data)}`
const chat = (status: string, fields: Json = {}) => ({
  ...{ id: 'chat-1', conversation_id: CONVERSATION, bot_id: BOT, status, created_at: 1_750_000_000 },
  ...fields,
})
const message = (content: string) => ({
  ...{ id: 'm-1', conversation_id: CONVERSATION, bot_id: BOT, chat_id: 'chat-1' },
  ...{ role: 'assistant', type: 'answer', content_type: 'text', content },
})
const usage = { token_count: 12, output_count: 2, input_count: 10 }
const events = [
  event('conversation.chat.created', chat('created')),
  event('conversation.message.delta', message('Fine')),
  event('conversation.message.delta', message('.')),
  event('conversation.message.completed', message('Fine.')),
  event('conversation.chat.completed', chat('completed', { usage })),
  'event:done\ndata:"[DONE]"',
]

describe('the client of Coze itself', async () => {
  const upstream = await strictProvider(strict)
  const coze = new CozeAPI({ token: 'pat_key', baseURL: upstream.url })
  const ask: StreamChatReq = {
    bot_id: BOT,
    user_id: 'u1',
    auto_save_history: true,
    additional_messages: [{ role: RoleType.User, type: 'question', content: 'Hi', content_type: 'text' }],
  }

  async function textOf(request: StreamChatReq) {
    let text = ''
    for await (const part of coze.chat.stream(request))
      if (part.event === ChatEventType.CONVERSATION_MESSAGE_DELTA) text += part.data.content
    return text
  }

  test.each([[{}], [{ conversation_id: CONVERSATION }]])('is understood by the strict server: %j', async fields => {
    upstream.expects(strict.channel, { events })
    expect(await textOf({ ...ask, ...fields })).toBe('Fine.')
    expect(upstream.violations()).toEqual([])
  })

  test('reads an error under status 200 as the gateway does', async () => {
    const refusal = { code: 4100, msg: 'authentication is invalid' }
    upstream.expects(strict.channel, { body: refusal })
    await expect(coze.chat.create(ask)).rejects.toBeInstanceOf(AuthenticationError)
    upstream.expects(strict.channel, { status: 401, body: refusal })
    await expect(textOf(ask)).rejects.toBeInstanceOf(AuthenticationError)
  })

  test('uploads files in the form that the strict server demands', async () => {
    const stored = { id: '736949598110202', bytes: 4, created_at: 1, file_name: 'a.txt' }
    upstream.expects(strict.channel, {}, {}, { 'POST /v1/files/upload': { body: { code: 0, msg: '', data: stored } } })
    const uploaded = await coze.files.upload({ file: createReadStream(import.meta.path) })
    expect(uploaded).toMatchObject({ id: stored.id })
    expect(upstream.violations()).toEqual([])
  })
})

async function botAt(base_url: string, fields: Json = {}) {
  const model = `bot-${crypto.randomUUID().slice(0, 8)}`
  await setOption('ModelRatio', JSON.stringify({ [model]: 1 }))
  await makeChannel(root, { type: 101, key: 'pat_secret-key', base_url, models: model, other: BOT, ...fields })
  return model
}

describe('a channel', () => {
  test.each(Object.keys(continuing))('continues the conversation of a client of %s', async format => {
    const server = await conversationServer({ 'POST /v3/chat': (_, answer) => sendEvents(answer, events) })
    const model = await botAt(`${server.url}/v3/`)
    for (const shape of [(call: ReturnType<(typeof continuing)[string]>) => call, asStream]) {
      const { path, body } = shape(continuing[format]!(model))
      const first = await ann.postTo(path, body)
      expect(await first.text()).toContain('Fine')
      const id = first.headers.get('x-tollgate-conversation')!
      expect(id).toBe(CONVERSATION)
      const next = shape(continuing[format]!(model, id))
      expect(await (await ann.postTo(next.path, next.body)).text()).toContain('Fine')
      const [before, after] = server.asked.splice(0)
      expect([before!.target, before!.json.additional_messages.length]).toEqual(['/v3/chat', 3])
      expect(after!.target).toBe(`/v3/chat?conversation_id=${CONVERSATION}`)
      expect(after!.json.additional_messages).toEqual([
        { role: 'user', type: 'question', content: 'And now?', content_type: 'text' },
      ])
    }
  })

  test('names two users differently, and each always the same', async () => {
    const server = await conversationServer({ 'POST /v3/chat': (_, answer) => sendEvents(answer, events) })
    const model = await botAt(server.url)
    const metadata = { conversation_id: CONVERSATION }
    for (const caller of [ann, await clientOf(ann.person), await client()])
      for (const fields of [{}, { user: 'u1' }]) await (await caller.chat({ model, metadata, ...fields })).text()
    const users: string[] = server.asked.map(({ json }) => json.user_id)
    expect(users.slice(0, 2)).toEqual(users.slice(2, 4))
    expect(new Set(users).size).toBe(4)
    for (const user of users) expect(user).toMatch(/^[0-9a-f]{32}(?:-u1)?$/)
  })

  test('needs the id of a bot', async () => {
    const refused = { type: 101, key: 'pat_k', models: 'm', other: '', name: 'no bot' }
    expect(await root.post('/api/channel/', refused)).toMatchObject({ success: false, code: 'channel.bot_required' })
  })

  test('fails with the error of an upload, before the bot is asked, and shows no key', async () => {
    const server = await conversationServer({
      'POST /v1/files/upload': (_, answer) => answer.json({ code: 4000, msg: 'pat_secret-key cannot send this' }),
    })
    const model = await botAt(server.url)
    const image_url = { url: 'data:image/png;base64,iVBORw0KGgo=' }
    const error = await errorOf(
      await ann.chat({ model, messages: [{ role: 'user', content: [{ type: 'image_url', image_url }] }] }),
    )
    expect(error).toMatchObject({ status: 400, code: 'invalid_request' })
    expect(error.message).not.toContain('secret-key')
    expect(server.asked).toHaveLength(1)
  })

  test('ends an upload within a second when the caller leaves', async () => {
    const [begun, gone] = [Promise.withResolvers<void>(), Promise.withResolvers<number>()]
    const server = await conversationServer({
      'POST /v1/files/upload': async (_, answer) => {
        begun.resolve()
        await answer.left
        gone.resolve(performance.now())
      },
    })
    const model = await botAt(server.url)
    const abort = new AbortController()
    const image_url = { url: 'data:image/png;base64,iVBORw0KGgo=' }
    const messages = [{ role: 'user', content: [{ type: 'image_url', image_url }] }]
    const call = ann.chat({ model, messages }, { signal: abort.signal }).catch(() => undefined)
    await begun.promise
    const left = performance.now()
    abort.abort()
    expect((await gone.promise) - left).toBeLessThan(1000)
    await call
    expect(server.asked).toHaveLength(1)
  })

  test('answers 400 to functions, before the bot is asked', async () => {
    const server = await conversationServer({})
    const model = await botAt(server.url)
    const tools = [{ type: 'function', function: { name: 'f' } }]
    expect(await errorOf(await ann.chat({ model, tools }))).toMatchObject({ status: 400, code: 'no_tools' })
    expect(server.asked).toEqual([])
  })
})
