/** The playground's calls: by session, billed to the user, in a group of the body. */
import { afterEach, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { Role, UserStatus } from '../../src/contracts/account.ts'
import { db } from '../../src/db/database.ts'
import { users } from '../../src/domain/users/table.ts'
import { auditWallets } from '../../src/domain/wallet/audit.ts'
import { open } from '../../src/domain/wallet/reservations.ts'
import { listen } from '../support/app/app.ts'
import { logsOf } from '../support/app/logs.ts'
import { setOption } from '../support/app/options.ts'
import { chatBody, MODEL, quotaOf, RICH } from '../support/people/client.ts'
import { balance, type Person, setUp, visitor } from '../support/people/person.ts'
import { type CallHeaders, keyOf, PLAYGROUND, play, playError } from '../support/people/playground.ts'
import { readStream } from '../support/people/responses.ts'
import { chat } from '../support/upstream/chat-scripts.ts'
import { channelTo, startUpstream } from '../support/upstream/served-channel.ts'

const usage = { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 }
const answers = chat({ text: 'Hello there, friend', usage })
const upstream = await startUpstream(answers)
await channelTo(upstream, { group: 'default,vip,closed' })
await setOption('GroupRatio', '{"default":1,"vip":2,"closed":1}')

const offerGroups = (groups: object = { default: '', vip: '' }) => setOption('UserUsableGroups', JSON.stringify(groups))

afterEach(async () => {
  await offerGroups()
})
await offerGroups()

test('a call is billed to the user alone, and its log names the group', async () => {
  const ann = await visitor(Role.user, RICH)
  const response = await play(ann)
  expect(response.status).toBe(200)
  expect(((await response.json()) as any).choices[0].message.content).toBe('Hello there, friend')
  expect(await balance(ann)).toBe(RICH - quotaOf(100, 20))
  const [entry] = await logsOf(ann)
  expect(entry).toMatchObject({
    token_name: 'playground-default',
    token_id: 0,
    group: 'default',
    model_name: MODEL,
    quota: quotaOf(100, 20),
    request_id: response.headers.get('x-request-id'),
    other: { request_path: '/pg/chat/completions' },
  })
  expect((await auditWallets()).difference).toBeUndefined()
})

test('a chosen group decides the price, and no upstream sees it', async () => {
  const ann = await visitor(Role.user, RICH)
  const response = await play(ann, { group: 'vip', stream: true })
  expect(await readStream(response)).toMatchObject({ text: 'Hello there, friend', done: true })
  expect(await balance(ann)).toBe(RICH - 2 * quotaOf(100, 20))
  const [entry] = await logsOf(ann)
  expect(entry).toMatchObject({ token_name: 'playground-vip', group: 'vip', is_stream: true })
  expect('group' in upstream.journal.at(-1)!.body).toBe(false)
  expect((await auditWallets()).difference).toBeUndefined()
})

test('the sums of the log know the calls by their token name', async () => {
  const ann = await visitor(Role.user, RICH)
  await (await play(ann, { group: 'vip' })).text()
  await (await play(ann)).text()
  const statOf = async (name: string) => (await ann.get(`/api/log/self/stat?token_name=${name}`)).data.quota
  expect(await statOf('playground-vip')).toBe(2 * quotaOf(100, 20))
  expect(await statOf('playground-default')).toBe(quotaOf(100, 20))
  expect(await statOf('playground-closed')).toBe(0)
})

test.each([
  ['a string', ''],
  ['null', null],
])('a group that is %s without a name is the own group of the user', async (_, group) => {
  const ann = await visitor(Role.user, RICH)
  expect((await play(ann, { group })).status).toBe(200)
})

test.each([
  ['is not offered', 'closed', 'group_forbidden', 403],
  ['does not exist', 'nowhere', 'group_forbidden', 403],
  ['has the name of a property of objects', '__proto__', 'group_forbidden', 403],
  ['is a list', ['default'], 'field_wrong', 400],
])('a group that %s is refused at its field before it costs anything', async (_, group, code, status) => {
  const ann = await visitor(Role.user, RICH)
  const sent = upstream.journal.length
  expect(await playError(await play(ann, { group }))).toMatchObject({ status, code, param: 'group' })
  expect(upstream.journal).toHaveLength(sent)
  expect(await balance(ann)).toBe(RICH)
  expect(open.size).toBe(0)
})

test('a group that is no longer offered is refused at the next call', async () => {
  const ann = await visitor(Role.user, RICH)
  expect((await play(ann, { group: 'vip' })).status).toBe(200)
  await offerGroups({ default: '' })
  expect(await playError(await play(ann, { group: 'vip' }))).toMatchObject({ status: 403, code: 'group_forbidden' })
  expect((await play(ann)).status).toBe(200)
})

test('a group cannot get a negative ratio', async () => {
  const root = await setUp()
  const saved = await root.put('/api/option/', { key: 'GroupRatio', value: '{"default":1,"vip":-1}' })
  expect(saved).toMatchObject({ success: false })
  const ann = await visitor(Role.user, RICH)
  await (await play(ann, { group: 'vip' })).text()
  expect(await balance(ann)).toBe(RICH - 2 * quotaOf(100, 20))
})

const credentials: [string, (ann: Person) => Promise<CallHeaders>][] = [
  ['a session without the header of the user id', async () => ({ 'tollgate-user': '' })],
  ['a session with the id of another user', async ann => ({ 'tollgate-user': String(ann.id + 1) })],
  ['no session', async () => ({ cookie: '' })],
  ['a forged session', async ann => ({ cookie: `${ann.cookie}x` })],
  ['an API key', async ann => ({ cookie: '', authorization: `Bearer sk-${await keyOf(ann)}` })],
  [
    'an access token',
    async ann => ({ cookie: '', authorization: `Bearer ${(await ann.get('/api/user/token')).data}` }),
  ],
]

test.each(credentials)('%s opens nothing', async (_, headersOf) => {
  const ann = await visitor(Role.user, RICH)
  const refused = await playError(await play(ann, {}, await headersOf(ann)))
  expect(refused).toMatchObject({ status: 401, code: 'session_required', type: 'tollgate_error' })
  expect(await balance(ann)).toBe(RICH)
})

test.each([
  ['banned', { status: UserStatus.banned }, 403, 'user_banned'],
  ['deleted', { deleted_time: 1 }, 401, 'session_required'],
])('the session of a %s user opens nothing', async (_, change, status, code) => {
  const ann = await visitor(Role.user, RICH)
  await db.update(users).set(change).where(eq(users.id, ann.id))
  expect(await playError(await play(ann))).toMatchObject({ status, code })
})

test.each(['New-Api-User', 'Veloera-User'])('the header %s names the user too', async name => {
  const ann = await visitor(Role.user, RICH)
  const headers = { cookie: ann.cookie, [name]: String(ann.id), 'content-type': 'application/json' }
  const body = JSON.stringify(chatBody())
  expect((await fetch(listen() + PLAYGROUND, { method: 'POST', headers, body })).status).toBe(200)
})

test.each<[string, CallHeaders]>([
  ['a foreign site', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }],
  ['a neighbouring host', { 'sec-fetch-site': 'same-site', origin: 'https://other.gate.example' }],
  ['a frame without an origin', { 'sec-fetch-site': 'cross-site', origin: 'null' }],
])('a page of %s is refused, and no response is open to it', async (_, headers) => {
  const ann = await visitor(Role.user, RICH)
  const response = await play(ann, {}, headers)
  expect([...response.headers.keys()].filter(name => name.startsWith('access-control'))).toEqual([])
  expect(await playError(response)).toMatchObject({ status: 403, code: 'csrf' })
  expect(await balance(ann)).toBe(RICH)
})

test('no other origin may ask or read', async () => {
  const ann = await visitor(Role.user, RICH)
  const asked = await fetch(listen() + PLAYGROUND, {
    method: 'OPTIONS',
    headers: { origin: 'https://evil.example', 'access-control-request-method': 'POST' },
  })
  expect(asked.status).toBe(405)
  const answered = await play(ann)
  expect(answered.headers.get('access-control-allow-origin')).toBeNull()
  expect(answered.headers.get('x-request-id')).toBeTruthy()
})

test('errors come in the language of the console', async () => {
  const ann = await visitor(Role.user, RICH)
  const cookie = `${ann.cookie}; language=zh`
  expect((await playError(await play(ann, { group: 'closed' }, { cookie }))).message).toContain('分组')
  expect((await playError(await play(ann, { group: 'closed' }))).message).toContain('group')
  expect((await playError(await play(ann, { model: '' }, { cookie }))).message).toContain('model')
})

test('the cost is in the header and in the usage', async () => {
  await setOption('CostInAnswersEnabled', true)
  const ann = await visitor(Role.user, RICH)
  const response = await play(ann)
  const cost = Number(response.headers.get('x-tollgate-cost'))
  expect(cost).toBe(quotaOf(100, 20) / 500_000)
  expect(((await response.json()) as any).usage.cost).toBe(cost)
})

test('a user without quota is refused', async () => {
  const ann = await visitor(Role.user, 0)
  expect(await playError(await play(ann))).toMatchObject({ status: 403, code: 'insufficient_user_quota' })
})

test('sensitive words are refused', async () => {
  await setOption('SensitiveWords', 'test_sensitive')
  const ann = await visitor(Role.user, RICH)
  const refused = await play(ann, { messages: [{ role: 'user', content: 'a test_sensitive prompt' }] })
  expect(await playError(refused)).toMatchObject({ status: 400, code: 'sensitive_words_detected' })
})
