// @engine sqlite
/** Dify's apps beyond their recorded calls: conversations, uploads, failures, answers. */
import { describe, expect, test } from 'bun:test'
import { setImmediate } from 'node:timers/promises'
import { assemble } from '../../src/formats/canonical/assemble.ts'
import { dify } from '../../src/formats/dify/index.ts'
import { logsOf } from '../support/app/logs.ts'
import { setOption } from '../support/app/options.ts'
import { client, clientOf } from '../support/people/client.ts'
import { errorOf, readStream } from '../support/people/responses.ts'
import { asStream, continuing, conversationServer, sendEvents } from '../support/upstream/conversations.ts'
import { answering, appAt, CONVERSATION, chatApp, ids, message, messageEnd } from '../support/upstream/dify.ts'
import type { Json } from '../support/upstream/strict-provider.ts'

await setOption('RetryTimes', 1)
const ann = await client()
const picture = 'data:image/png;base64,iVBORw0KGgo='
const withPicture = [{ role: 'user', content: [{ type: 'image_url', image_url: { url: picture } }] }]

const spent = async (act: () => Promise<unknown>) => {
  const before = await ann.balance()
  await act()
  return before - (await ann.balance())
}

describe('a conversation', () => {
  test.each(Object.keys(continuing))('goes on for a client of %s by the id of its header', async format => {
    const server = await conversationServer({ 'POST /v1/chat-messages': answering })
    const { model } = await appAt(server.url, { setting: chatApp })
    for (const shape of [(call: ReturnType<(typeof continuing)[string]>) => call, asStream]) {
      const { path, body } = shape(continuing[format]!(model))
      const first = await ann.postTo(path, body)
      expect(await first.text()).toContain('Fine')
      expect(first.headers.get('access-control-expose-headers')).toContain('x-tollgate-conversation')
      const id = first.headers.get('x-tollgate-conversation')!
      expect(id).toBe(CONVERSATION)
      const next = shape(continuing[format]!(model, id))
      expect(await (await ann.postTo(next.path, next.body)).text()).toContain('Fine')
      const [before, after] = server.asked.splice(0).map(({ json }) => json)
      expect(before!.query).toBe('USER: \nHi\nASSISTANT: \nHello.\nUSER: \nAnd now?\n')
      expect(before!).not.toHaveProperty('conversation_id')
      expect(after!).toMatchObject({ query: 'And now?', conversation_id: id })
    }
  })

  test('two users are never one for the app, whatever they name, and each stays the same', async () => {
    const server = await conversationServer({ 'POST /v1/chat-messages': answering })
    const { model } = await appAt(server.url, { setting: chatApp })
    const [bob, annAgain] = [await client(), await clientOf(ann.person)]
    const continued = { model, metadata: { conversation_id: CONVERSATION } }
    const userOf = async ({ chat }: typeof ann, fields: Json) => {
      expect((await chat({ ...continued, ...fields })).status).toBe(200)
      return server.asked.at(-1)!.json.user as string
    }
    const users = []
    for (const fields of [{}, { user: 'u1' }, { user: 'u2' }]) {
      const [first, again, other] = [
        await userOf(ann, fields),
        await userOf(annAgain, fields),
        await userOf(bob, fields),
      ]
      expect(again).toBe(first)
      users.push(first, other)
    }
    expect(await userOf(bob, { user: users[0] })).not.toBe(users[0]!)
    expect(new Set(users).size).toBe(6)
    expect(users[2]).toBe(`${users[0]}-u1`)
    expect(users[0]).toMatch(/^[0-9a-f]{32}$/)
  })

  test('an id that could not stand in a header is left out', async () => {
    const events = [message('Fine', { conversation_id: 'a\r\nset-cookie: b' }), messageEnd]
    const server = await conversationServer({ 'POST /v1/chat-messages': (_, answer) => sendEvents(answer, events) })
    const { model } = await appAt(server.url, { setting: chatApp })
    const response = await ann.chat({ model })
    expect([response.status, response.headers.has('x-tollgate-conversation')]).toEqual([200, false])
    expect(response.headers.has('set-cookie')).toBe(false)
  })

  test('an id of any other type than text is ignored', async () => {
    const server = await conversationServer({ 'POST /v1/chat-messages': answering })
    const { model } = await appAt(server.url, { setting: chatApp })
    expect((await ann.chat({ model, metadata: { conversation_id: 5 } })).status).toBe(200)
    expect(server.asked[0]!.json).not.toHaveProperty('conversation_id')
  })
})

describe('an upload', () => {
  test('ends within a second when the caller leaves, and the app is never asked', async () => {
    const [begun, gone] = [Promise.withResolvers<void>(), Promise.withResolvers<number>()]
    const server = await conversationServer({
      'POST /v1/files/upload': async (_, answer) => {
        begun.resolve()
        await answer.left
        gone.resolve(performance.now())
      },
      'POST /v1/chat-messages': answering,
    })
    const { model } = await appAt(server.url, { setting: chatApp })
    const abort = new AbortController()
    const cost = await spent(async () => {
      const call = ann.chat({ model, messages: withPicture }, { signal: abort.signal }).catch(() => undefined)
      await begun.promise
      const left = performance.now()
      abort.abort()
      expect((await gone.promise) - left).toBeLessThan(1000)
      await call
    })
    await setImmediate()
    expect([cost, server.count('/v1/files/upload'), server.count('/v1/chat-messages')]).toEqual([0, 1, 0])
  })

  test('a refused one is the error of the call, and costs nothing', async () => {
    const refusal = { code: 'file_too_large', message: 'File size exceeded.', status: 413 }
    const server = await conversationServer({ 'POST /v1/files/upload': (_, answer) => answer.json(refusal, 413) })
    const { model } = await appAt(server.url, { setting: chatApp })
    const cost = await spent(async () => {
      const error = await errorOf(await ann.chat({ model, messages: withPicture }))
      expect(error).toMatchObject({ status: 413, code: 'file_too_large' })
    })
    expect([cost, server.asked.length]).toEqual([0, 1])
  })

  test('carries the bytes, the name and the user of the call', async () => {
    const server = await conversationServer({
      'POST /v1/files/upload': (_, answer) => answer.json({ id: 'file-1' }, 201),
      'POST /v1/chat-messages': answering,
    })
    const { model } = await appAt(server.url, { setting: chatApp })
    await ann.chat({ model, messages: withPicture, user: 'u1' })
    const { bytes, headers } = server.asked[0]!
    const form = await new Response(new Uint8Array(bytes), {
      headers: { 'content-type': headers['content-type']! },
    }).formData()
    const file = form.get('file') as File
    const { user } = server.asked[1]!.json
    expect(user).toMatch(/^[0-9a-f]{32}-u1$/)
    expect([file.name, file.type, form.get('user')]).toEqual(['file.png', 'image/png', user])
    expect(Buffer.from(await file.arrayBuffer()).toString('base64')).toBe('iVBORw0KGgo=')
  })
})

describe('failures', () => {
  const failing = { event: 'error', ...ids, code: 'provider_not_initialize', message: 'No model', status: 400 }
  const step = { event: 'workflow_started', ...ids, workflow_run_id: 'r', data: {} }

  test('an error before the first word goes to another channel, steps of the workflow or not', async () => {
    const broken = await conversationServer({
      'POST /v1/chat-messages': (_, answer) => sendEvents(answer, ['event: ping', step, failing]),
    })
    const good = await conversationServer({ 'POST /v1/chat-messages': answering })
    const { model } = await appAt(broken.url, { setting: chatApp, priority: 9 })
    await appAt(good.url, { setting: chatApp, models: model })
    const { text, error } = await readStream(await ann.stream({ model }))
    expect([text, error, broken.asked.length]).toEqual(['Fine.', undefined, 1])
  })

  test('an error after the first word ends the stream, which shows it', async () => {
    const server = await conversationServer({
      'POST /v1/chat-messages': (_, answer) => sendEvents(answer, [message('Fi'), failing]),
    })
    const { model } = await appAt(server.url, { setting: chatApp })
    const { text, error, done } = await readStream(await ann.stream({ model }))
    expect([text, error.message, done]).toEqual(['Fi', expect.stringContaining('No model'), false])
    expect(await spent(async () => expect((await ann.chat({ model })).status).toBe(503))).toBe(0)
  })

  test('a stream without its last event is broken', async () => {
    const server = await conversationServer({
      'POST /v1/chat-messages': (_, answer) => sendEvents(answer, [message('Fi')]),
    })
    const { model } = await appAt(server.url, { setting: chatApp })
    const { error, done } = await readStream(await ann.stream({ model }))
    expect([error === undefined, done]).toEqual([false, false])
    expect(await spent(async () => expect((await ann.chat({ model })).status).toBe(502))).toBe(0)
  })

  test('functions are refused before Dify is asked', async () => {
    const server = await conversationServer({ 'POST /v1/chat-messages': answering })
    const { model } = await appAt(server.url, { setting: chatApp })
    const tools = [{ type: 'function', function: { name: 'f' } }]
    expect(await errorOf(await ann.chat({ model, tools }))).toMatchObject({ status: 400, code: 'no_tools' })
    expect((await ann.chat({ model, tools, tool_choice: 'none' })).status).toBe(200)
    expect(server.asked).toHaveLength(1)
  })
})

describe('answers', () => {
  test('a gathered answer has the fields that force_format asks for', async () => {
    const server = await conversationServer({ 'POST /v1/chat-messages': answering })
    const { model } = await appAt(server.url, { setting: '{"dify_app":"chat","force_format":true}' })
    const { object, choices } = await (await ann.chat({ model })).json()
    expect([object, choices[0].message.content]).toEqual(['chat.completion', 'Fine.'])
  })

  test('usage that is reported twice counts once, as last reported', async () => {
    const twice = { ...messageEnd, metadata: { usage: { prompt_tokens: 40, completion_tokens: 8, total_tokens: 48 } } }
    const run = { event: 'workflow_finished', ...ids, data: { status: 'succeeded', total_tokens: 999 } }
    const server = await conversationServer({
      'POST /v1/chat-messages': (_, answer) => sendEvents(answer, [message('Fine'), run, twice]),
    })
    const { model } = await appAt(server.url, { setting: chatApp })
    await ann.chat({ model })
    expect((await logsOf(ann.person))[0]).toMatchObject({ prompt_tokens: 40, completion_tokens: 8 })
  })

  test('a replaced answer is a refusal to Anthropic’s clients, without the first words', async () => {
    const events = [message('The secret'), { event: 'message_replace', ...ids, answer: 'No.' }, messageEnd]
    const server = await conversationServer({ 'POST /v1/chat-messages': (_, answer) => sendEvents(answer, events) })
    const { model } = await appAt(server.url, { setting: chatApp })
    const { path, body } = continuing.anthropic!(model)
    const told = (await (await ann.postTo(path, body)).json()) as Json
    expect(told).toMatchObject({ content: [{ type: 'text', text: 'No.' }], stop_reason: 'refusal' })
  })

  const thought =
    '<details style="color:gray;" open> <summary> Thinking... </summary>\nTwo < three.\n</details>\n\nYes <details> x </details> <b'

  test('a thought is found wherever its marks are cut', () => {
    const parts = [
      { kind: 'thinking', text: 'Two < three.\n' },
      { kind: 'text', text: 'Yes <details> x </details> <b' },
    ]
    for (let size = 1; size <= thought.length; size++) {
      const reader = dify.readStream()
      const pieces = thought.match(new RegExp(`[^]{1,${size}}`, 'g'))!
      const events = [...pieces.map(piece => message(piece)), messageEnd].flatMap(event =>
        reader.read(JSON.stringify(event)),
      )
      expect(assemble(events).choices[0]!.parts, `pieces of ${size}`).toEqual(parts as any)
    }
  })

  test('a text of nothing but marks is read in time', () => {
    const reader = dify.readStream()
    const started = performance.now()
    reader.read(JSON.stringify(message('<details'.repeat(20_000))))
    for (let count = 0; count < 2000; count++) reader.read(JSON.stringify(message('<details <')))
    expect(performance.now() - started).toBeLessThan(2000)
  })

  test.each(['[]', '"x"', 'null', '{"event":7}', '{"event":"message"}', '{"event":"message_end","metadata":[]}'])(
    'an event %s does no harm',
    text => {
      expect(() => dify.readStream().read(text)).not.toThrow()
    },
  )
})
