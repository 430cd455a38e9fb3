/** Secrets appear in no response, no page and no line of the log. */
import { afterAll, beforeEach, expect, spyOn, test } from 'bun:test'
import { eq, sql } from 'drizzle-orm'
import { Role } from '../../src/contracts/account.ts'
import { SETTINGS_TABS } from '../../src/contracts/option.ts'
import { atomic, rawQuery, run } from '../../src/db/atomic.ts'
import { db } from '../../src/db/database.ts'
import { sessions } from '../../src/domain/account/table.ts'
import { channels } from '../../src/domain/channels/table.ts'
import { logs } from '../../src/domain/logs/table.ts'
import { mails } from '../../src/domain/mail/table.ts'
import { catalog, optionKeys } from '../../src/domain/options/catalog.ts'
import { options } from '../../src/domain/options/table.ts'
import { tokens } from '../../src/domain/tokens/table.ts'
import { users } from '../../src/domain/users/table.ts'
import { setOption } from '../support/app/options.ts'
import { consoleRoutes } from '../support/app/routes.ts'
import { setEnv } from '../support/env.ts'
import { clientOf, MODEL } from '../support/people/client.ts'
import { anyone, ROOT, setUp, signIn, visitor } from '../support/people/person.ts'
import { chat } from '../support/upstream/chat-scripts.ts'
import { answers } from '../support/upstream/endpoint-scripts.ts'
import { errorBody } from '../support/upstream/openai.ts'
import { channelTo, startUpstream } from '../support/upstream/served-channel.ts'

const logEverything = () => void setEnv({ LOG_LEVEL: 'debug' })
logEverything()
beforeEach(logEverything)
const stderr = spyOn(process.stderr, 'write').mockImplementation(() => true)
afterAll(() => stderr.mockRestore())

const CANARY = 'canary'
/** A search shows its text again. */
const PROBE = CANARY.slice(1)
const WORD_OF_THE_PROXY = 'the-word-of-the-proxy'
const key = `${CANARY}-of-the-channel-0123456789`
const secretOptions = optionKeys.filter(option => catalog[option].secret)

const sections = [...new Set(secretOptions.map(option => catalog[option].section_name))]

const root = await setUp()
const admin = await visitor(Role.admin, 50_000_000)
const user = await visitor()
for (const option of secretOptions) await setOption(option, `${CANARY}-of-${option.toLowerCase()}-0123456789`)
const upstream = await startUpstream(chat())
upstream.keys.add(key)
const channel = await channelTo(upstream, { key })
await setOption('LogErrorEnabled', true)
const caller = await clientOf(admin)

const echoes = [
  answers(400, errorBody(`Bad request for key ${key}`, 'invalid_request_error')),
  answers(500, errorBody(`https://api.example.com/v1?key=${key} failed`, 'server_error')),
  answers(404, `<html>${key}</html>`),
  answers(200, { error: { message: `no ${key}`, type: 'x', code: 400 } }),
]

test('a key echoed by an upstream does not reach the client', async () => {
  for (const [at, echo] of [...echoes, answers(401, errorBody(key, 'auth'))].entries()) {
    upstream.scripts(MODEL, echo)
    for (const stream of [false, true]) {
      const answer = await caller.chat({ stream })
      expect([at, await answer.text()]).toEqual([at, expect.not.stringContaining(CANARY)])
    }
  }
  upstream.scripts(MODEL, chat())
  expect((await caller.chat()).status).toBe(200)
})

/** Secrets of accounts: each is set over HTTP and belongs to a user whom the crawl meets. */
async function plantSecrets() {
  const hook = {
    notify_type: 'webhook',
    webhook_url: 'https://example.com/hook',
    webhook_secret: `${CANARY}-of-a-webhook`,
  }
  for (const person of [root, admin, user]) expect((await person.put('/api/user/setting', hook)).success).toBe(true)
  const { data: access } = await user.get('/api/user/token')
  const { data: app } = await user.post('/api/user/authenticator')
  await root.post('/api/token/', { name: 'own', unlimited_quota: true })
  await db.update(users).set({ email: 'crawled@example.com' }).where(eq(users.id, user.id))
  await setOption('ServerAddress', 'https://gate.example')
  await setOption('SMTPServer', 'mail.invalid')
  await setOption('SMTPFrom', 'gate@gate.example')
  expect((await anyone.get('/api/reset_password?email=crawled@example.com')).success).toBe(true)
  const [mail] = await db.select().from(mails).where(eq(mails.recipient, 'crawled@example.com'))
  const link = new URL(/https:\S+/.exec(mail!.text)![0]).searchParams.get('token')!
  return { access, app: app.secret as string, link }
}

/** Routes that end the session of the crawl, or make a secret that is shown once. */
const unread = [
  'GET /api/user/logout',
  'GET /api/user/token',
  'GET /api/channel/test',
  'GET /api/channel/update_balance',
]

test('no response and no page contains a secret, for any user', async () => {
  await root.get(`/api/channel/test/${channel.id}`)
  await root.get(`/api/channel/fetch_models/${channel.id}`)
  const planted = await plantSecrets()
  const ids = [channel.id, root.id, admin.id, user.id].map(String)
  const paths = consoleRoutes
    .filter(({ method, name }) => method === 'GET' && !unread.includes(name))
    .flatMap(({ path }) => (path.includes(':') ? ids.map(id => path.replaceAll(/:\w+/g, id)) : [path]))
  await setOption('Chats', '[{"App":"app://open?key={key}"},{"Site":"https://chat.example/?k={key}"}]')
  const open = [
    ...['edit', 'delete', 'test', 'set_tag', 'delete_all'].map(name => `/admin/channels?${name}=${channel.id}`),
    ...['new', 'tag', 'tag=everything', 'edit_tag=', 'run=test', `keyword=${PROBE}`].map(
      query => `/admin/channels?${query}`,
    ),
    `/api/channel/?tag_mode=true`,
    `/admin/routes?group=default&model=${MODEL}`,
    `/api/channel/routes?group=default&model=${MODEL}`,
    `/admin/channels/${channel.id}/report?as=table`,
    '/app/tokens?new',
    ...SETTINGS_TABS.map(tab => `/admin/settings?tab=${tab}`),
    ...['history=smtp', 'default=SMTPToken', `q=${PROBE}`].map(query => `/admin/settings?tab=system&${query}`),
    ...sections.map(name => `/api/option/history?section=${name}&page_size=100`),
    ...[PROBE, 'secret', 'token', MODEL, `#${channel.id}`].map(text => `/palette?q=${encodeURIComponent(text)}`),
    ...['channels', 'users', 'models', 'tokens'].map(kind => `/api/suggestions/${kind}?q=${PROBE}`),
    ...['channels', 'users', 'models', 'tokens'].map(kind => `/api/suggestions/${kind}?q=`),
    '/playground?group=default',
    '/chat/1',
    '/admin/audit?open=1',
    '/api/audit/?page_size=100',
    '/app/logs/api-usage?type=6',
    ...[admin.id, user.id].flatMap(id =>
      ['edit', 'ledger', 'tokens', 'devices'].map(name => `/admin/users?${name}=${id}`),
    ),
    ...['security', 'notifications', 'prices'].map(tab => `/app/me?tab=${tab}`),
  ]
  for (const person of [anyone, user, admin, root]) {
    for (const path of new Set([...paths, ...open])) {
      const response = await person.fetch(path)
      if (person === root && open.includes(path)) expect([path, response.status]).toEqual([path, 200])
      const text = await response.text()
      const found = [CANARY, '$argon2', planted.access, planted.link].filter(secret => text.includes(secret))
      // The owner sets up the app with its secret.
      if (text.includes(planted.app) && person !== user) found.push('the secret of an authenticator app')
      expect([person.username, path, found]).toEqual([person.username, path, []])
    }
  }
  const shown = JSON.stringify(await root.get(`/api/channel/search?keyword=${key}`))
  expect(shown).toContain(`"id":${channel.id}`)
  expect(shown).not.toContain(CANARY)
})

test('an option key in another case, or a part of one, reads and writes no secret', async () => {
  for (const option of secretOptions) {
    for (const name of [
      option.toUpperCase(),
      option.toLowerCase(),
      ` ${option}`,
      `${option}.`,
      option.split('.')[0]!,
    ]) {
      if (name === option) continue
      expect([name, (await root.put('/api/option/', { key: name, value: 'x' })).success]).toEqual([name, false])
    }
    const written = await (
      await root.fetch('/api/option/', { method: 'PUT', body: JSON.stringify({ key: option, value: '' }) })
    ).text()
    expect([option, written.includes(CANARY)]).toEqual([option, false])
  }
})

test('an API key is shown to its owner alone', async () => {
  const ofUsers = ['/admin/users', `/admin/users?tokens=${admin.id}`, `/api/user/${admin.id}`]
  const paths = ['/api/token/', '/app/tokens', '/app/tokens?edit=1', '/api/log/', '/app/logs/api-usage', ...ofUsers]
  for (const path of paths)
    expect([path, await (await root.fetch(path)).text()]).toEqual([path, expect.not.stringContaining(caller.key)])
  expect(JSON.stringify(await admin.get('/api/token/'))).toContain(caller.key)
})

test('the server log contains no key, password, cookie or prompt', async () => {
  const prompt = 'a prompt that is nobody’s business'
  await caller.chat({ messages: [{ role: 'user', content: prompt }] })
  const proxy = `socks5://somebody:${WORD_OF_THE_PROXY}@127.0.0.1:1`
  await channelTo('http://far-away.invalid', { setting: JSON.stringify({ proxy }), priority: 9 })
  await caller.chat()
  const { cookie } = await signIn(ROOT.username, ROOT.password)
  await setOption('SMTPToken', `${CANARY}-another-0123456789`)
  const lines = stderr.mock.calls.map(([line]) => String(line)).join('')
  expect(lines).toContain('attempt failed')
  expect(lines).toContain('proxy connection failed')
  for (const secret of [CANARY, WORD_OF_THE_PROXY, ROOT.password, cookie.split('=')[1]!, prompt, caller.key])
    expect(lines).not.toContain(secret)
})

test('the database holds secrets sealed or hashed', async () => {
  for (const table of [options, channels, users, sessions, tokens, logs]) {
    const stored = JSON.stringify(
      await atomic(function* (tx) {
        return yield* run(rawQuery(tx, sql`select * from ${table}`))
      }),
    )
    expect(stored).not.toBe('[]')
    for (const secret of [CANARY, WORD_OF_THE_PROXY, ROOT.password, caller.key]) expect(stored).not.toContain(secret)
  }
})
