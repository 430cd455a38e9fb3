/** Chat sites in frames and in new tabs, with a user's API key. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { setOption } from '../support/app/options.ts'
import { attributeOf, chats, type Keyed, openPage, SITE, setChats, withKey } from '../support/people/chats.ts'
import { anyone, type Person, setUp, visitor } from '../support/people/person.ts'

await setUp()
beforeEach(() => setChats(chats))
afterEach(async () => {
  await setOption('ServerAddress', '')
  await setOption('chat_link', '')
  await setOption('chat_link2', '')
})

/** Agrees to a chat. @returns the cookies of the browser afterwards */
async function agree(person: Person, chat: string, returnTo = `/chat/${chat}`, cookie = person.cookie) {
  const response = await person.form('/chat/consent', { chat, returnTo }, { headers: { cookie } })
  expect([response.status, response.headers.get('location')]).toEqual([303, returnTo])
  const given = response.headers.get('set-cookie')!.split(';')[0]!
  const others = cookie.split('; ').filter(part => !part.startsWith('chat-sites'))
  return [...others, given].join('; ')
}

test('a site is asked about before it gets a key, and then stands in a frame', async () => {
  const { person, key } = await withKey()
  const asked = await openPage(person, '/chat/1')
  expect(asked.response.status).toBe(200)
  expect([asked.frame, asked.html.includes(key)]).toEqual([undefined, false])
  expect(asked.html).toContain('chat.example is another site')
  const { frame, attribute, response } = await openPage(person, '/chat/1', await agree(person, '1'))
  expect(frame).toBeDefined()
  const url = new URL(attribute('src')!)
  expect([url.origin, decodeURIComponent(url.hash)]).toEqual([
    SITE,
    `#/?settings={"key":"${key}","url":"http://localhost"}`,
  ])
  expect(attribute('sandbox')).toBe('allow-scripts allow-forms allow-popups allow-downloads allow-same-origin')
  expect(attribute('allow')).toBe('camera; microphone')
  expect(attribute('referrerpolicy')).toBe('no-referrer')
  expect(attribute('title')).toBe('Next')
  const { headers } = response
  expect(
    headers
      .get('content-security-policy')!
      .split('; ')
      .filter(rule => rule.startsWith('frame-src')),
  ).toEqual([`frame-src ${SITE}`])
  expect(headers.get('permissions-policy')).toBe(`camera=(self "${SITE}"), microphone=(self "${SITE}"), geolocation=()`)
  expect(headers.get('cache-control')).toBe('no-store')
})

test('every other page has no camera and no frame', async () => {
  const { person } = await withKey()
  const { headers } = await person.page('/app/tokens')
  expect(headers.get('permissions-policy')).toBe('camera=(), microphone=(), geolocation=()')
  expect(headers.get('content-security-policy')).not.toContain('frame-src')
})

test('the consent counts for one origin and one user', async () => {
  const { person } = await withKey()
  const cookie = await agree(person, '1')
  expect((await openPage(person, '/chat/1', cookie)).frame).toBeDefined()
  expect((await openPage(person, '/chat/2', cookie)).frame).toBeUndefined()
  expect((await openPage(person, '/chat/2', await agree(person, '2', '/chat/2', cookie))).frame).toBeDefined()
  await setChats([{ Next: 'https://elsewhere.example/?k={key}' }])
  expect((await openPage(person, '/chat/0', cookie)).frame).toBeUndefined()
  await setChats(chats)
  const { person: other } = await withKey()
  const theirs = `${other.cookie}; ${cookie.split('; ').at(-1)}`
  expect((await openPage(other, '/chat/1', theirs)).frame).toBeUndefined()
})

test('a consent is given by a form of this site alone', async () => {
  const { person } = await withKey()
  const refused = [
    await person.form('/chat/consent', { chat: '1', csrf: '' }),
    await person.form('/chat/consent', { chat: '1' }, { headers: { origin: 'https://evil.example' } }),
  ]
  expect(refused.map(({ status }) => status)).toEqual([403, 403])
  expect(refused.map(({ headers }) => headers.get('set-cookie')?.includes('chat-sites') ?? false)).toEqual([
    false,
    false,
  ])
  const led = await person.form('/chat/consent', { chat: '1', returnTo: 'https://evil.example/' })
  expect(led.headers.get('location')).toBe('/chat')
})

test('the server address of the settings fills its placeholder, encoded', async () => {
  await setOption('ServerAddress', 'https://gate.example/path')
  const { person, key } = await withKey()
  const { attribute } = await openPage(person, '/chat/2', await agree(person, '2'))
  const set = new URL(attribute('src')!).searchParams.get('set')!
  expect(JSON.parse(set)).toEqual({ k: key, u: 'https://gate.example/path/v1' })
})

test('the newest enabled key is used, and the page names it', async () => {
  const { person, key } = await withKey({ name: 'older' })
  const newer = await person.post('/api/token/', { name: 'newer', unlimited_quota: true })
  const cookie = await agree(person, '1')
  const srcOf = async () => decodeURIComponent((await openPage(person, '/chat', cookie)).attribute('src')!)
  expect(await srcOf()).toContain(`sk-${newer.data.key}`)
  await person.put('/api/token/?status_only=true', { id: newer.data.id, status: 2 })
  expect(await srcOf()).toContain(key)
})

test.each([
  ['no key', undefined],
  [
    'only a disabled key',
    async (keyed: Keyed) => keyed.person.put('/api/token/?status_only=true', { id: keyed.id, status: 2 }),
  ],
  [
    'only a key without quota',
    async (keyed: Keyed) => keyed.person.put('/api/token/', { id: keyed.id, unlimited_quota: false, remain_quota: 0 }),
  ],
])('a user with %s is led to the keys', async (_, change) => {
  const keyed = change ? await withKey() : undefined
  if (keyed) await change!(keyed)
  const person = keyed?.person ?? (await visitor())
  for (const path of ['/chat', '/chat/1', '/chat2link']) {
    const { response, html } = await openPage(person, path)
    expect([response.status, response.headers.get('refresh')]).toEqual([409, '1.5;url=/app/tokens'])
    expect(html).toContain('No enabled API key available. Check that a key is enabled')
    expect(html).toContain('href="/app/tokens"')
  }
  const chinese = await person.page('/chat', { language: 'zh' })
  expect(await chinese.text()).toContain('没有可用的 API 密钥，请检查是否已启用')
})

test('a frame of this site itself is not given its own origin', async () => {
  await setChats([{ Own: 'http://localhost/files/chat.html#{key}' }])
  const { person } = await withKey()
  const { attribute } = await openPage(person, '/chat/0', await agree(person, '0'))
  expect(attribute('sandbox')).not.toContain('allow-same-origin')
})

test('chat2link leads to the first site, and sends no referrer', async () => {
  const { person, key } = await withKey()
  const asked = await openPage(person, '/chat2link')
  expect([asked.response.status, asked.html.includes(key)]).toEqual([200, false])
  expect(asked.response.headers.get('content-security-policy')).toContain("form-action 'self' https:;")
  const { response } = await openPage(person, '/chat2link', await agree(person, '1', '/chat2link'))
  expect(response.status).toBe(303)
  expect(decodeURIComponent(response.headers.get('location')!)).toBe(
    `${SITE}/#/?settings={"key":"${key}","url":"http://localhost"}`,
  )
  expect(response.headers.get('referrer-policy')).toBe('no-referrer')
  expect(response.headers.get('cache-control')).toBe('no-store')
})

test('the chat link of the settings comes first, with its settings in the fragment', async () => {
  await setOption('chat_link', 'https://own.example/app/#/start')
  const { person, key } = await withKey()
  const { response } = await openPage(person, '/chat2link', await agree(person, 'link', '/chat2link'))
  expect(decodeURIComponent(response.headers.get('location')!)).toBe(
    `https://own.example/app/#/?settings={"key":"${key}","url":"http://localhost"}`,
  )
})

/** Links of the token list that open a chat, by their name. */
async function chatsInRows(person: Person, path = '/app/tokens') {
  const html = await (await person.page(path)).text()
  const links = [...html.matchAll(/<a [^>]*\/chat\/[^>]*>/g)].map(([tag]) => tag)
  return links.filter(tag => attributeOf(tag, 'href')!.startsWith('/app/tokens/'))
}

test("a key's row opens every chat in a new tab, without the key in the address", async () => {
  await setOption('chat_link', 'https://own.example')
  const { person, id, key } = await withKey()
  const links = await chatsInRows(person)
  expect(links.map(tag => attributeOf(tag, 'href'))).toEqual(
    ['0', '1', '2', 'link'].map(chat => `/app/tokens/${id}/chat/${chat}`),
  )
  expect(links.every(tag => attributeOf(tag, 'target') === '_blank')).toBe(true)
  expect(links.every(tag => attributeOf(tag, 'rel') === 'noopener noreferrer')).toBe(true)
  expect(links.some(tag => tag.includes(key))).toBe(false)
  // Phones have no row menus: there the drawer has the links too.
  expect(await chatsInRows(person, `/app/tokens?edit=${id}`)).toHaveLength(8)
  await person.put('/api/token/?status_only=true', { id, status: 2 })
  expect(await chatsInRows(person, `/app/tokens?edit=${id}`)).toEqual([])
})

test('an app is asked about before it gets a key, and then opens with the key of its row', async () => {
  const { person, id, key } = await withKey()
  await person.post('/api/token/', { name: 'newer', unlimited_quota: true })
  const path = `/app/tokens/${id}/chat/0`
  const asked = await openPage(person, path)
  expect([asked.response.status, asked.html.includes(key)]).toEqual([200, false])
  expect(asked.html).toContain('The address ama: opens an app on this device. The app gets the API key laptop')
  expect(asked.response.headers.get('content-security-policy')).toContain("form-action 'self' https: ama:;")
  const chinese = await person.page(path, { language: 'zh' })
  expect(await chinese.text()).toContain('该应用会获得 API 密钥 laptop')
  const cookie = await agree(person, '0', path)
  const { response } = await openPage(person, path, cookie)
  expect([response.status, response.headers.get('location')]).toEqual([
    303,
    `ama://set-api-key?server=http%3A%2F%2Flocalhost&key=${key}`,
  ])

  await setChats([{ Evil: 'evilapp://x?{key}' }, { Ama: 'ama://elsewhere?{key}' }, { Help: 'help://page' }])
  const statuses = await Promise.all([0, 1, 2].map(chat => openPage(person, `/app/tokens/${id}/chat/${chat}`, cookie)))
  expect(statuses.map(opened => opened.response.status)).toEqual([200, 303, 303])
  expect(statuses[2]!.response.headers.get('location')).toBe('help://page')
})

test('a site opens from a row after the consent', async () => {
  const { person, id, key } = await withKey()
  const path = `/app/tokens/${id}/chat/2`
  expect((await openPage(person, path)).html.includes(key)).toBe(false)
  const { response } = await openPage(person, path, await agree(person, '2', path))
  expect(new URL(response.headers.get('location')!).searchParams.get('set')).toContain(key)
})

test('keys of others and disabled keys open no chat', async () => {
  const { id } = await withKey()
  const { person: eve } = await withKey()
  expect((await eve.page(`/app/tokens/${id}/chat/0`)).status).toBe(404)
  const { person, id: own } = await withKey()
  await person.put('/api/token/?status_only=true', { id: own, status: 2 })
  expect((await person.page(`/app/tokens/${own}/chat/0`)).status).toBe(409)
})

test('visitors are led to the sign-in page', async () => {
  for (const path of ['/chat', '/chat/1', '/chat2link', '/app/tokens/1/chat/0']) {
    const { status, headers } = await anyone.page(path)
    expect([status, headers.get('location')]).toEqual([303, `/login?returnTo=${encodeURIComponent(path)}`])
  }
})

test('the menu has the sites in their order, and no apps', async () => {
  const { person } = await withKey()
  const html = await (await person.page('/app/tokens')).text()
  const sidebar = html.slice(html.indexOf('class="sidebar"'), html.indexOf('class="end'))
  const entries = [...sidebar.matchAll(/href="(\/chat\/[^"]*)"[^>]*>(?:<svg.*?<\/svg>)?(?:<span>)?([^<]*)/g)]
  expect(entries.map(([, href, name]) => [href, name])).toEqual([
    ['/chat/1', 'Next'],
    ['/chat/2', 'Lobe'],
  ])
})
