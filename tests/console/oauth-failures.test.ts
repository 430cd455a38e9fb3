// @waits
/** Login providers that are down, slow or talk nonsense: each has its sentence, and nothing is stored. */
import { expect, test } from 'bun:test'
import { db } from '../../src/db/database.ts'
import { users } from '../../src/domain/users/table.ts'
import { setOption } from '../support/app/options.ts'
import { setEnv } from '../support/env.ts'
import type { Mood } from '../support/oauth/code-site.ts'
import { github, newUser, userBy } from '../support/oauth/github-users.ts'
import { LoginBrowser } from '../support/oauth/login-browser.ts'

const sentences = {
  unreachable: ['The login provider does not answer. Try again later.', '登录服务没有响应，请稍后再试。'],
  nonsense: [
    'The login provider sent an unusable response. Try again later, or ask the administrator.',
    '登录服务返回的内容无法使用，请稍后再试，或联系管理员。',
  ],
}

/** The toasts of a sign-in in both languages. @param spoil takes hold at the callback, and may answer its undoing */
async function refusals(spoil: () => (() => void) | undefined) {
  const user = newUser()
  const texts: unknown[] = []
  for (const language of ['en', 'zh'] as const) {
    const browser = new LoginBrowser()
    const back = github.agree(await browser.start('github'), user)
    const undo = spoil()
    const response = await browser.return(back, language)
    expect([response.status, await browser.self()]).toEqual([303, undefined])
    texts.push(browser.notice?.text)
    undo?.()
  }
  expect(await userBy(user.id)).toBeUndefined()
  return texts
}

test.each<[Mood, keyof typeof sentences]>([
  ['html', 'nonsense'],
  ['empty', 'nonsense'],
  ['odd', 'nonsense'],
  ['failed', 'nonsense'],
  ['moved', 'unreachable'],
  ['endless', 'unreachable'],
  ['large', 'unreachable'],
  ['silent', 'unreachable'],
])('a provider whose answer is %s is reported as %s', async (mood, outcome) => {
  const before = (await db.select().from(users)).length
  const texts = await refusals(() => {
    github.mood = mood
    return undefined
  })
  expect(texts).toEqual(sentences[outcome])
  expect((await db.select().from(users)).length).toBe(before)
})

test('a provider that is down, or in a network that is not allowed, is reported as unreachable', async () => {
  expect(await refusals(() => setEnv({ GITHUB_URL: 'http://127.0.0.1:1' }))).toEqual(sentences.unreachable)
  expect(await refusals(() => setEnv({ OUTBOUND_ALLOW: [] }))).toEqual(sentences.unreachable)
})

test('a user without an id, or with an odd one, is refused', async () => {
  for (const id of [undefined, null, '', -1, 1.5, {}, 'a b', '\u0000', 'x'.repeat(256)]) {
    const browser = new LoginBrowser()
    await browser.return(github.agree(await browser.start('github'), { id, login: 'odd' }))
    expect([id, browser.notice?.text, await browser.self()]).toEqual([id, sentences.nonsense[0], undefined])
  }
})

test('a discovery that fails leads back to the sign-in page with the reason', async () => {
  await setOption('oidc.client_id', 'id')
  await setOption('oidc.client_secret', 'secret')
  for (const [well_known, text] of [
    ['http://127.0.0.1:1/.well-known/openid-configuration', sentences.unreachable[0]],
    [`${github.url}/.well-known/openid-configuration`, sentences.nonsense[0]],
  ] as const) {
    await setOption('oidc.well_known', well_known)
    await setOption('oidc.enabled', true)
    const browser = new LoginBrowser()
    expect([await browser.start('oidc', '/app/wallet'), browser.notice?.text]).toEqual([
      '/login?returnTo=%2Fapp%2Fwallet',
      text,
    ])
  }
})
