/** Every message that the server gives by the specification, where its condition occurs, in both languages. */
import { afterAll, afterEach, expect, spyOn, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { Role, UserStatus } from '../../src/contracts/account.ts'
import { db } from '../../src/db/database.ts'
import { passkeys } from '../../src/domain/two-factor/table.ts'
import { users } from '../../src/domain/users/table.ts'
import { type MessageKey, translate } from '../../src/locales/index.ts'
import { type Language, languageCodes } from '../../src/locales/languages.ts'
import type { MessageParams } from '../../src/locales/translator.ts'
import { resetStores } from '../../src/process/stores.ts'
import { setOption } from '../support/app/options.ts'
import { setEnv } from '../support/env.ts'
import { allowLoopback } from '../support/oauth/options.ts'
import { startWeChatServer, WECHAT_TOKEN } from '../support/oauth/wechat-server.ts'
import { askForLink, configureReset, userAt } from '../support/people/password-reset.ts'
import { type Answer, anyone, ROOT, setUp, visitor } from '../support/people/person.ts'
import { askForCode, register } from '../support/people/registration.ts'
import { fakeTurnstile } from '../support/upstream/turnstile.ts'

const root = await setUp()
// Without another way in, password sign-in cannot be switched off.
await db.insert(passkeys).values({ id: 'a', user_id: root.id, name: 'key', public_key: 'x', created_time: 1 })
const [ann, admin] = [await visitor(), await visitor(Role.admin)]
await configureReset()
await userAt('taken@example.com')

const turnstile = fakeTurnstile()
const wechat = startWeChatServer()
afterAll(() => wechat.stop())
await setOption('WeChatServerAddress', wechat.url)
await setOption('WeChatServerToken', WECHAT_TOKEN)

/** A message as it is shown: in an envelope, or in the toast that follows a form. */
interface Shown {
  message: string
  /** Absent in a toast. */
  code?: string
  params?: MessageParams
}

interface Options {
  language: Language
}

type Cause = (options: Options) => Promise<Shown>

/** Runs the request with an option of the site changed. */
const having =
  (key: string, [changed, usual]: [unknown, unknown], cause: Cause): Cause =>
  async options => {
    await setOption(key, changed)
    try {
      return await cause(options)
    } finally {
      await setOption(key, usual)
    }
  }

const toastOf = (response: Response): Shown => {
  const cookie = response.headers.getSetCookie().find(set => set.startsWith('notice='))
  return { message: JSON.parse(decodeURIComponent(cookie!.split(';')[0]!.slice('notice='.length))).text }
}

const login = (query: string, { language }: Options): Promise<Answer> =>
  anyone.post(`/api/user/login${query}`, { ...ROOT, password: 'not the password' }, { language })

/** A code of the WeChat server for this id. */
function wechatCode(id: string): string {
  setEnv(allowLoopback)
  return wechat.codeFor(id)
}

const withWeChat = (cause: Cause) => having('WeChatAuthEnabled', [true, false], cause)

async function failingHash(options: Options): Promise<Shown> {
  using _ = spyOn(Bun.password, 'hash').mockRejectedValue(new Error('no memory'))
  return await register({}, options)
}

const withChallenge =
  (query: string): Cause =>
  async options => {
    await turnstile.enable()
    try {
      return await login(query, options)
    } finally {
      await turnstile.disable()
    }
  }

async function bannedSignIn({ language }: Options): Promise<Shown> {
  const banned = await visitor()
  const id = `o6_banned_${banned.id}`
  await db.update(users).set({ wechat_id: id, status: UserStatus.banned }).where(eq(users.id, banned.id))
  return anyone.get(`/api/oauth/wechat?code=${wechatCode(id)}`, { language })
}

async function secondBinding({ language }: Options): Promise<Shown> {
  const [owner, other] = [await visitor(), await visitor()]
  const id = `o6_bound_${owner.id}`
  await db.update(users).set({ wechat_id: id }).where(eq(users.id, owner.id))
  return other.get(`/api/oauth/wechat/bind?code=${wechatCode(id)}`, { language })
}

const bindByPage: Cause = async options => {
  const person = await visitor()
  return toastOf(await person.form('/oauth/wechat', { code: wechatCode(`o6_page_${person.id}`) }, options))
}

const signInByPage: Cause = async options => {
  const person = await visitor()
  const id = `o6_in_${person.id}`
  await db.update(users).set({ wechat_id: id }).where(eq(users.id, person.id))
  return toastOf(await anyone.form('/oauth/wechat', { code: wechatCode(id) }, options))
}

const written = { title: 'News', content: 'Text', format: 'markdown' }
const send = (change: object, options: Options) =>
  admin.post('/api/admin/messages', { ...written, user_ids: [ann.id], ...change }, options)

const newMessage = async (): Promise<number> => (await send({}, { language: 'en' })).data.id

const rows: [condition: string, key: MessageKey, cause: Cause][] = [
  ['no session', 'error.not_logged_in', options => anyone.get('/api/user/self', options)],
  ['an error inside the server', 'error.internal', failingHash],
  [
    'a parameter of a wrong type',
    'error.invalid_parameter',
    async options => ({
      ...(await ann.put('/api/user/setting', { accept_unset_model_ratio_model: [] }, options)),
      params: { field: 'accept_unset_model_ratio_model' },
    }),
  ],
  ['a body that is no JSON', 'error.invalid_json', options => ann.put('/api/user/setting', '{"a"', options)],
  ['a reset for an unknown address', 'reset.email_unknown', options => askForLink('none@example.com', options)],
  ['a code for an address in use', 'account.email_taken', options => askForCode('taken@example.com', options)],
  [
    'a wrong verification code',
    'registration.code_wrong',
    having('EmailVerificationEnabled', [true, false], options =>
      register({ email: 'new@example.com', verification_code: '000000' }, options),
    ),
  ],
  [
    'a wrong reset link',
    'reset.link_invalid',
    options => anyone.post('/api/user/reset', { email: 'taken@example.com', token: 'made up' }, options),
  ],
  [
    'a registration while it is closed',
    'account.registration_closed',
    having('RegisterEnabled', [false, true], options => register({}, options)),
  ],
  [
    'a registration with a password while that is closed',
    'registration.password_closed',
    having('PasswordRegisterEnabled', [false, true], options => register({}, options)),
  ],
  [
    'a password while sign-in by password is off',
    'account.password_login_disabled',
    having('PasswordLoginEnabled', [false, true], options => login('', options)),
  ],
  [
    'a code-hosting sign-in that is off',
    'oauth.not_enabled',
    async ({ language }) => toastOf(await anyone.page('/oauth/github/start', { language })),
  ],
  ['a chat-app sign-in that is off', 'oauth.not_enabled', options => anyone.get('/api/oauth/wechat?code=1', options)],
  ['an account of another user', 'account.already_bound', withWeChat(secondBinding)],
  ['a sign-in of a banned user', 'account.banned', withWeChat(bannedSignIn)],
  ['a wrong password', 'account.login_wrong', options => login('', options)],
  ['no token of the human check', 'human.token_missing', withChallenge('')],
  ['a wrong token of the human check', 'human.failed', withChallenge('?turnstile=made-up')],
  [
    'a change on a demo site',
    'error.demo_only',
    having('DemoSiteEnabled', [true, false], options => send({}, options)),
  ],
  ['an account that is bound on its page', 'oauth.bound', withWeChat(bindByPage)],
  ['a sign-in by a provider on its page', 'oauth.signed_in', withWeChat(signInByPage)],
  ['an unknown message', 'message.not_found', options => ann.get('/api/user/messages/987654321', options)],
  ['a message without a title', 'message.title_required', options => send({ title: ' ' }, options)],
  ['a message without content', 'message.content_required', options => send({ content: '' }, options)],
  ['a message without recipients', 'message.recipients_required', options => send({ user_ids: [] }, options)],
  [
    'a message that is sent',
    'message.created',
    async options =>
      toastOf(
        await admin.form('/admin/messages?new', { ...written, to: 'users', 'user_ids[]': [`${ann.id}`] }, options),
      ),
  ],
  [
    'a message that is edited',
    'message.updated',
    async options => toastOf(await admin.form(`/admin/messages/${await newMessage()}`, written, options)),
  ],
  [
    'a message that is deleted',
    'message.deleted',
    async options => toastOf(await admin.form(`/admin/messages/${await newMessage()}/delete`, {}, options)),
  ],
  [
    'too short a password',
    'account.password_short',
    options => register({ password: 'seven77', password2: 'seven77' }, options),
  ],
  ['a setup after the setup', 'account.already_set_up', options => root.post('/api/setup', {}, options)],
]

afterEach(() => resetStores('login-failures'))

test.each(rows)('%s: the visitor reads %s in each language', async (_, key, cause) => {
  const sentences: string[] = []
  for (const language of languageCodes) {
    const { message, code, params } = await cause({ language })
    expect([language, code ?? key, message]).toEqual([language, key, translate(language, key, params)])
    sentences.push(message)
  }
  expect(new Set(sentences).size).toBe(languageCodes.length)
  expect(sentences.filter(sentence => !sentence.trim() || sentence === key || /[{}]/.test(sentence))).toEqual([])
})
