/** Errors of an upstream that repeat its key or address: no field, encoding, format or log shows them. */
import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { ChannelStatus } from '../../src/contracts/channel.ts'
import { db } from '../../src/db/database.ts'
import { mails } from '../../src/domain/mail/table.ts'
import { users } from '../../src/domain/users/table.ts'
import { logsOf } from '../support/app/logs.ts'
import { setOption } from '../support/app/options.ts'
import { filledDrawer, submitDrawer } from '../support/people/channel-drawer.ts'
import { type Client, client, MODEL } from '../support/people/client.ts'
import { setUp } from '../support/people/person.ts'
import { play } from '../support/people/playground.ts'
import { dial, REALTIME_MODEL } from '../support/people/realtime-client.ts'
import { errorOf } from '../support/people/responses.ts'
import { until } from '../support/until.ts'
import { storedChannel } from '../support/upstream/channel.ts'
import { answers, sounds } from '../support/upstream/endpoint-scripts.ts'
import { errorBody } from '../support/upstream/openai.ts'
import { realtimeUpstream } from '../support/upstream/realtime.ts'
import { channelTo, deleteChannels, startUpstream } from '../support/upstream/served-channel.ts'

/** Like no key that a pattern finds, with characters that encodings write in another way. */
const KEY = 'Zq7/vR+2x~LmT9:wK4?dPb8'
const upstream = await startUpstream()
upstream.keys.add(KEY)
const { host, port } = new URL(upstream.url)

let ann: Client
beforeEach(async () => {
  await setOption('RetryTimes', 0)
  await setOption('LogErrorEnabled', true)
  await deleteChannels()
  await channelTo(upstream, { key: KEY, models: `${MODEL},tts-1` })
  ann = await client()
})

const each = (write: (code: string) => string) =>
  [...KEY].map(character => write(character.charCodeAt(0).toString(16).padStart(2, '0'))).join('')
const base64 = (before: string) => Buffer.from(`${before}${KEY} and more`).toString('base64')
const spellings: [name: string, text: string][] = [
  ['plain', KEY],
  ['percent-encoded', encodeURIComponent(KEY)],
  ['percent-encoded as a whole', each(code => `%${code}`)],
  ['percent-encoded in capitals', each(code => `%${code.toUpperCase()}`)],
  ['in hex', Buffer.from(KEY).toString('hex')],
  ['in hex capitals', Buffer.from(KEY).toString('hex').toUpperCase()],
  ['in base64', Buffer.from(KEY).toString('base64')],
  ['in base64url', Buffer.from(KEY).toString('base64url')],
  ...['', 'a', 'ab', 'user:', 'Bearer ', 'name:'].map((before): [string, string] => [
    `in base64 behind "${before}"`,
    base64(before),
  ]),
  ['in base64url behind "Bearer "', Buffer.from(`Bearer ${KEY}`).toString('base64url')],
  ['escaped as JSON', KEY.replaceAll('/', '\\/')],
  ['in JSON escapes', each(code => `\\u00${code}`)],
  ['in entities', each(code => `&#x${code};`)],
]

/** Whether a text shows the key: eight of its characters in a row, in any spelling of this file. */
function reveals(text: string): boolean {
  const pieces = spellings.map(([, spelling]) => spelling)
  const windows = pieces.flatMap(piece => [piece, piece.slice(4, -4)])
  return windows.some(piece => text.includes(piece) || text.includes(JSON.stringify(piece).slice(1, -1)))
}

const CLAUDE = 14
const GEMINI = 24
const hi = [{ role: 'user', content: 'hi' }]
/** An upstream of any format: it answers with what a test puts here. */
let reply = () => new Response()
const native = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => reply() })
afterAll(() => native.stop(true))

/** Each with an event of content, by a channel of its own format and by a translated one. */
const formats: [name: string, own: number, piece: object, call: (stream: boolean) => Promise<Response>][] = [
  [
    'OpenAI',
    1,
    { id: 'x', object: 'chat.completion.chunk', choices: [{ index: 0, delta: { content: 'so far' } }] },
    stream => ann.chat({ stream }),
  ],
  [
    'Anthropic',
    CLAUDE,
    { type: 'message_start', message: { id: 'x', role: 'assistant', content: [], usage: { input_tokens: 1 } } },
    stream => ann.postTo('/v1/messages', { model: MODEL, max_tokens: 9, stream, messages: hi }),
  ],
  [
    'Gemini',
    GEMINI,
    { candidates: [{ content: { role: 'model', parts: [{ text: 'so far' }] } }] },
    stream =>
      ann.postTo(`/v1beta/models/${MODEL}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`, {
        contents: [{ role: 'user', parts: [{ text: 'hi' }] }],
      }),
  ],
  [
    'Responses',
    1,
    { type: 'response.created', response: { id: 'x', model: MODEL, output: [] } },
    stream => ann.postTo('/v1/responses', { model: MODEL, input: 'hi', stream }),
  ],
]

describe.each(spellings)('a key %s', (_, spelling) => {
  test('is hidden in message, type, code and param, in answers and in the log of operators', async () => {
    upstream.scripts(MODEL, answers(422, errorBody(`no ${spelling} no`, spelling, `code ${spelling}`, spelling)))
    const text = await (await ann.chat()).text()
    expect([reveals(text), text.includes('***')]).toEqual([false, true])
    const { error } = JSON.parse(text)
    expect([error.type, error.code, error.param].every(field => field.includes('***'))).toBe(true)
    const [entry] = await logsOf(ann.person, 6)
    expect(entry.other.admin_info.attempts[0].reason).toContain('***')
    expect(reveals(JSON.stringify(entry))).toBe(false)
  })
})

describe.each(formats)('the errors of %s', (_, own, piece, call) => {
  const { error } = errorBody(`no ${KEY} no`, KEY, KEY, KEY)
  const shapes: [name: string, error: object][] = [
    ['its own', { type: 'error', error }],
    ['a bare', { error }],
    ['a flat', { ...error, type: 'error' }],
  ]
  const sse = (events: object[]) =>
    new Response(events.map(event => `data: ${JSON.stringify(event)}\n\n`).join(''), {
      headers: { 'content-type': 'text/event-stream' },
    })

  test.each(shapes)('hide a key in %s shape, whole and streamed', async (_shape, body) => {
    await deleteChannels()
    await channelTo(`http://127.0.0.1:${native.port}`, { type: own, key: KEY })
    const answers: [stream: boolean, answer: () => Response][] = [
      [false, () => Response.json(body, { status: 400 })],
      [false, () => Response.json(body)],
      [true, () => sse([body])],
      [true, () => sse([piece, body])],
    ]
    for (const [stream, answer] of answers) {
      reply = answer
      const text = await (await call(stream)).text()
      expect(reveals(text)).toBe(false)
    }
  })
})

test('a channel that an echoed key disables shows the key nowhere: call, playground, tests, log, pages, notice', async () => {
  const root = await setUp()
  await db.update(users).set({ email: 'root@example.com' }).where(eq(users.id, root.id))
  for (const [option, value] of Object.entries({
    ...{ SMTPServer: 'mail.invalid', SMTPFrom: 'gate@gate.example', ServerAddress: 'https://gate.example' },
    ...{ AutomaticDisableChannelEnabled: true },
  }))
    await setOption(option, value)
  const echo = answers(401, errorBody(`Incorrect API key provided: ${KEY}`, KEY, 'invalid_api_key', KEY))
  upstream.scripts(MODEL, echo)
  const [{ id }] = (await root.get('/api/channel/')).data
  const texts = [await (await play(ann.person)).text()]
  await until(async () => (await storedChannel(id)).status === ChannelStatus.autoDisabled)
  const drawer = { ...(await filledDrawer(root, id)), 'group[]': 'default', action: 'test' }
  texts.push((await submitDrawer(root, drawer, `/admin/channels/${id}`)).html)
  for (const path of [
    ...[`/api/channel/test/${id}`, `/api/channel/fetch_models/${id}`, '/api/channel/', `/api/channel/${id}`],
    ...['/admin/channels', `/admin/channels?edit=${id}`, `/admin/channels/${id}/report`, '/api/log/', '/api/audit/'],
    ...[`/admin/routes?model=${MODEL}`, `/api/channel/routes?model=${MODEL}`, '/app/logs/api-usage?type=6'],
  ])
    texts.push(await (await root.fetch(path)).text())
  for (const path of ['/api/log/self', '/app/logs/api-usage?type=6'])
    texts.push(await (await ann.person.fetch(path)).text())
  const notice = await until(
    async () => (await db.select().from(mails).where(eq(mails.recipient, 'root@example.com')))[0],
  )
  texts.push(JSON.stringify(notice))
  expect(texts[1]!.includes('Incorrect API key provided')).toBe(true)
  expect(texts.filter(text => text.includes('Incorrect API key provided')).length).toBeGreaterThan(4)
  expect(texts.map(reveals)).toEqual(texts.map(() => false))
  await setOption('AutomaticDisableChannelEnabled', false)
})

test.each(['http://far-away.invalid/v1?key=', 'https://far-away.invalid/v1/', 'http://127.0.0.1:1/'])(
  'a call that cannot be connected names neither the key nor the host to its user: %s',
  async address => {
    const KEYS_PATH = 'Zq7vR2xLmT9wK4dPb8'
    await deleteChannels()
    for (const type of [1, CLAUDE, GEMINI]) await channelTo(address + KEYS_PATH, { type, key: KEY })
    const texts = [await (await ann.chat()).text(), await (await play(ann.person)).text()]
    texts.push(JSON.stringify(await ann.person.get('/api/log/self')))
    const secrets = [KEYS_PATH, 'far-away', '127.0.0.1:1', KEY]
    expect(texts.flatMap(text => secrets.filter(secret => text.includes(secret)))).toEqual([])
  },
)

test('the port goes with the host, and codes that are no keys stay', async () => {
  upstream.scripts(
    MODEL,
    answers(422, errorBody(`connect ${host} or http://${host}/v1, key_disabled`, 'key_invalid', 'app_gone')),
  )
  const { message, type, code } = await errorOf(await ann.chat())
  expect([message.includes(port), message.includes('127.0')]).toEqual([false, false])
  expect([type, code]).toEqual(['key_invalid', 'app_gone'])
})

test('a host by name is hidden with its port, in any case', async () => {
  await deleteChannels()
  await channelTo(`http://localhost:${port}`, { key: KEY })
  upstream.scripts(MODEL, answers(422, errorBody(`at LOCALHOST:${port} or localhost:${port}`, 'x')))
  const { message } = await errorOf(await ann.chat())
  expect(message).toStartWith('at *** or ***')
})

test('the content type of speech shows no key', async () => {
  upstream.scripts('tts-1', sounds(Buffer.from('sound'), { type: `audio/mpeg; x=${encodeURIComponent(KEY)}` }))
  const response = await ann.postTo('/v1/audio/speech', { model: 'tts-1', input: 'hi', voice: 'alloy' })
  expect(response.headers.get('content-type')).toBe('audio/mpeg; x=***')
  await response.arrayBuffer()
})

test('errors of realtime sessions hide the key', async () => {
  const talking = realtimeUpstream()
  await channelTo(talking.url, { models: REALTIME_MODEL })
  const error = {
    type: 'sk-upstream',
    code: 'sk-upstream',
    message: 'no sk-upstream',
    param: 'sk-upstream',
    event_id: null,
  }
  const failed = { type: 'response.done', response: { status: 'failed', status_details: { type: 'failed', error } } }
  talking.turns.push({ deltas: [{ type: 'error', error }, failed], lasts: true })
  const call = await dial(ann)
  call.say({ type: 'response.create' })
  await call.seen('response.done')
  const shown = call.events.map(event => JSON.stringify(event)).filter(text => text.includes('"message"'))
  expect(shown.map(text => [text.includes('sk-upstream'), text.includes('no ***')])).toEqual(
    Array(2).fill([false, true]),
  )
  call.socket.close()
  talking.stop()
})
