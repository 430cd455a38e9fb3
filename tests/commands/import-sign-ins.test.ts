/** `tollgate import`: users who signed in with GitHub's login name or with a passkey. */
import { afterAll, expect, test } from 'bun:test'
import { type Installation, setUpInstallation, startAt } from '../support/app/installation.ts'
import type { Server } from '../support/app/server.ts'
import { fileOf, peopled } from '../support/moving-in/house.ts'
import { moved, rowsOf } from '../support/moving-in/moved.ts'
import { SITE_CLIENT, startGitHub } from '../support/oauth/code-site.ts'
import { SoftPasskey } from '../support/people/soft-passkey.ts'

const github = startGitHub()
afterAll(() => github.stop())

const gitHubOptions = [
  { key: 'GitHubClientId', value: SITE_CLIENT.id },
  { key: 'GitHubClientSecret', value: SITE_CLIENT.secret },
  { key: 'GitHubOAuthEnabled', value: 'true' },
]

const startWithGitHub = (place: Installation) =>
  startAt(place, {
    env: {
      ...place.env,
      OUTBOUND_ALLOW: '127.0.0.0/8',
      GITHUB_URL: github.url,
      GITHUB_API_URL: `${github.url}/api/v3`,
    },
  })

let lastId = 900_000

interface Account {
  login: string
  email: string
  verified?: boolean
  id?: number
}

/** @returns the id of the user here */
async function signIn({ url }: Server, { login, email, verified = true, id = ++lastId }: Account) {
  github.emails.set(id, [{ email, primary: true, verified }])
  const asked = await fetch(`${url}/api/oauth/state?provider=github`)
  const { data: state } = (await asked.json()) as { data: string }
  const query = { client_id: SITE_CLIENT.id, response_type: 'code', state, redirect_uri: `${url}/oauth/github` }
  const back = github.agree(`${github.url}/login/oauth/authorize?${new URLSearchParams(query)}`, {
    id,
    login,
    name: '',
  })
  const headers = { cookie: asked.headers.get('set-cookie')?.split(';')[0] ?? '' }
  const answer = await fetch(`${url}/api/oauth/github${back.search}`, { headers })
  return ((await answer.json()) as { data: { id?: number } | null }).data?.id
}

test("GitHub's login name and the same verified address bind a user of the old gateway, neither does alone", async () => {
  const place = await setUpInstallation()
  const [, ann, bob, , dan, eve] = peopled('one-api').users!
  const users = [
    { ...ann!, github_id: 'Ann-At-Hub', email: 'Ann@example.com' },
    { ...bob!, github_id: 'bob-at-hub', email: '' },
    { ...dan!, github_id: 'dan-at-hub', email: 'dan@example.com' },
    { ...eve!, github_id: '4711', email: 'eve@example.com' },
  ]
  const report = await moved(place, fileOf('one-api', { ...peopled('one-api'), users, options: gitHubOptions }))
  expect(report.totals).toMatchObject({ 'moving.github_name_kept': 2, 'moving.github_name': 1 })
  const server = await startWithGitHub(place)
  const strangers = [
    await signIn(server, { login: 'ann-at-hub', email: 'stranger@example.com' }),
    await signIn(server, { login: 'another', email: 'ann@example.com' }),
    await signIn(server, { login: 'ann-at-hub', email: 'ann@example.com', verified: false }),
    await signIn(server, { login: 'bob-at-hub', email: 'bob@example.com' }),
    await signIn(server, { login: 'dan-at-hub', email: 'ann@example.com' }),
  ]
  expect(strangers.filter(id => id === undefined || id <= 7)).toEqual([])
  const hers = { login: 'ann-at-hub', email: 'ann@example.com', id: 4321 }
  expect(await signIn(server, hers)).toBe(2)
  expect(await signIn(server, { ...hers, login: 'renamed', email: 'new@example.com' })).toBe(2)
  expect(await signIn(server, { ...hers, id: 4322 })).toBeGreaterThan(7)
  expect(await signIn(server, { login: 'whatever', email: '', id: 4711 })).toBe(7)
  expect(await rowsOf(place, 'select id, github_id from users where id in (2, 3, 5, 7) order by id')).toEqual([
    { id: 2, github_id: 4321 },
    { id: 3, github_id: '' },
    { id: 5, github_id: '' },
    { id: 7, github_id: 4711 },
  ])
  expect(await rowsOf(place, 'select user_id, name from github_names')).toEqual([{ user_id: 5, name: 'dan-at-hub' }])
})

test('a deleted or banned user of a GitHub name is not let in, and no new one is made', async () => {
  const place = await setUpInstallation()
  const [, ann, , , dan] = peopled('one-api').users!
  const users = [
    { ...ann!, github_id: 'ann', email: 'ann@example.com', status: 2 },
    { ...dan!, github_id: 'dan', email: 'dan@example.com' },
  ]
  await moved(place, fileOf('one-api', { ...peopled('one-api'), users, options: gitHubOptions }))
  await place.change('update users set deleted_time = 5 where id = 5')
  const server = await startWithGitHub(place)
  for (const login of ['ann', 'dan'])
    expect(await signIn(server, { login, email: `${login}@example.com` })).toBeUndefined()
  expect(await rowsOf(place, 'select id from users order by id')).toEqual([{ id: 1 }, { id: 2 }, { id: 5 }])
})

const credentialsOf = (key: SoftPasskey) => ({
  ...peopled('new-api'),
  passkey_credentials: [
    { id: 3, user_id: 2, ...key.stored, sign_count: 0, transports: '["internal"]', created_at: '2025-06-01 02:03:04' },
    { id: 4, user_id: 9, ...new SoftPasskey('').stored, sign_count: 0, transports: '', created_at: null },
    { id: 5, user_id: 3, ...new SoftPasskey('').stored, sign_count: 0, deleted_at: '2025-06-01 02:03:04' },
  ],
})
const address = (value: string) => [{ key: 'ServerAddress', value }]

/** @returns the name of the user here */
async function signInByPasskey({ url }: Server, key: SoftPasskey) {
  const first = await fetch(`${url}/api/user/login/passkey/challenge`, { method: 'POST' })
  const { data } = (await first.json()) as { data: { challenge: string } }
  const answer = await fetch(`${url}/api/user/login/passkey`, {
    method: 'POST',
    headers: { cookie: first.headers.get('set-cookie')?.split(';')[0] ?? '' },
    body: JSON.stringify({ credential: key.get(data.challenge, url) }),
  })
  return ((await answer.json()) as { data: { username?: string } | null }).data?.username
}

test('a passkey of new-api signs in under the same host, and is carried once', async () => {
  const place = await setUpInstallation()
  const key = new SoftPasskey('http://127.0.0.1')
  const file = fileOf('new-api', { ...credentialsOf(key), options: address('http://127.0.0.1:3000') })
  const report = await moved(place, file)
  expect([report.counts.passkey, report.totals['moving.passkey']]).toEqual([{ found: 3, carried: 1, before: 0 }, 1])
  expect((await moved(place, file)).counts.passkey).toEqual({ found: 3, carried: 0, before: 1 })
  expect(await signInByPasskey(await startAt(place), key)).toBe('ann')
  expect(await rowsOf(place, 'select user_id, name from passkeys')).toEqual([{ user_id: 2, name: 'new-api' }])
})

const otherHosts = [
  ['another address there', address('https://old.example')],
  ['no address there', []],
  ['a host of its own for passkeys', [...address('http://gate.example'), { key: 'passkey.rp_id', value: 'example' }]],
] as const

test.each(otherHosts)('passkeys of new-api with %s are listed as left', async (_, options) => {
  const place = await setUpInstallation()
  await place.change("insert into options (key, value) values ('ServerAddress', 'http://gate.example')")
  const report = await moved(place, fileOf('new-api', { ...credentialsOf(new SoftPasskey('')), options: [...options] }))
  expect([report.counts.passkey.carried, report.totals['moving.passkey']]).toEqual([0, 2])
  expect(await rowsOf(place, 'select id from passkeys')).toEqual([])
})
