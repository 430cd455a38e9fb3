// @engine sqlite
/** What the guard does beside rights, at every route: order of refusals, CSRF, CORS, spellings of a path. */
import { expect, test } from 'bun:test'
import { Role } from '../../src/contracts/account.ts'
import { app } from '../support/app/app.ts'
import {
  accessOf,
  allRoutes,
  consoleRoutes,
  isApi,
  isCallback,
  isOfRelay,
  many,
  type Route,
  routesFor,
} from '../support/app/routes.ts'
import { anyone, HOME, Person, setUp, visitor } from '../support/people/person.ts'
import { casesInTier, rowsInTier } from '../support/tier.ts'

const root = await setUp()
const [ann, admin] = [await visitor(), await visitor(Role.admin)]
const guarded = many(routesFor('users', 'admins', 'root'))
const ofOperators = many(routesFor('admins', 'root'))

/** A user who may use a route. */
const userOf = ({ name }: Route) => (accessOf.get(name) === 'root' ? root : admin)

type Asked = Omit<Route, 'name'>

const isForm = ({ method, path }: Asked) => method === 'POST' && !path.startsWith('/api/')
/** An address of a route, with all that it has to be told. */
const addressOf = ({ path }: Asked) =>
  `${path.replace(/:\w+/g, '1')}${path === '/api/log/' ? '?target_timestamp=1' : ''}`

/** The status, and where one is sent instead. */
async function call(person: Person, route: Asked, headers: Record<string, string> = {}) {
  const response = isForm(route)
    ? await person.form(addressOf(route), {}, { headers })
    : await person.fetch(addressOf(route), {
        method: route.method,
        headers: { 'content-type': 'application/json', ...headers },
        ...(route.method !== 'GET' && { body: '{}' }),
      })
  return { status: response.status, to: response.headers.get('location')?.replace(/\?.*/, '') }
}

/** The responses of these routes, by their names. */
async function everywhere(all: Route[], ask: (route: Route) => ReturnType<typeof call>) {
  return Object.fromEntries(await Promise.all(many(all).map(async route => [route.name, await ask(route)] as const)))
}

/** For each route, what is said there to somebody who may not pass. */
const refused = (all: Route[], inApi: number, onPage = '') =>
  Object.fromEntries(
    all.map(route => [route.name, isApi(route) ? { status: inApi, to: undefined } : { status: 303, to: onPage }]),
  )

/** A request whose path, query and body no contract fits. */
async function callBroken(person: Person, { method, path }: Route, headers: Record<string, string> = {}) {
  const broken = method === 'GET' ? {} : { body: path.startsWith('/api/') ? '{"id":' : `csrf=${person.csrf}&id=%00` }
  const init = { method, headers: { 'content-type': 'application/json', ...headers }, ...broken }
  const response = await person.fetch(`${path.replace(/:\w+/g, 'nothing')}?p=%00&id=x`, init)
  return { status: response.status, to: response.headers.get('location')?.replace(/\?.*/, '') }
}

test('guards: an invalid path, query or body does not come before 401 or 403', async () => {
  expect(await everywhere(guarded, route => callBroken(anyone, route))).toEqual(refused(guarded, 401, '/login'))
  expect(await everywhere(ofOperators, route => callBroken(ann, route))).toEqual(refused(ofOperators, 403, '/'))
})

test('a word in place of an id is no address', async () => {
  for (const path of ['/api/user/nobody', '/api/token/nothing', '/api/channel/1.0', '/api/channel/nothing'])
    expect([path, await admin.get(path)]).toMatchObject([path, { status: 404, success: false, data: null }])
})

test('every envelope has success, message and data', async () => {
  for (const route of many(consoleRoutes.filter(route => isApi(route) && !isCallback(route)))) {
    // One administrator a route: some routes end the session or the account.
    const response = await (await visitor(Role.admin)).fetch(addressOf(route), {
      method: route.method,
      ...(route.method !== 'GET' && { body: '{}' }),
    })
    expect([route.name, Object.keys((await response.json()) as object)]).toEqual([
      route.name,
      expect.arrayContaining(['success', 'message', 'data']),
    ])
  }
})

test('a cookie without the user id header of its user is refused at every API route', async () => {
  const api = guarded.filter(isApi)
  const headers = ['', '0', String(ann.id), `${admin.id} `.repeat(2), `0${admin.id}`, `${admin.id}.0`]
  for (const [header, rows] of rowsInTier(api, headers, 2)) {
    expect(await everywhere(rows, route => call(admin, route, { 'tollgate-user': header }))).toEqual(refused(rows, 401))
  }
})

test("forms of other sites, or without the session's CSRF token, are refused", async () => {
  const sent = consoleRoutes.filter(isForm).filter(({ path }) => !/^\/(setup|login|register)/.test(path))
  const no = (all: Route[]) => Object.fromEntries(all.map(({ name }) => [name, { status: 403, to: undefined }]))
  const foreign: Record<string, string>[] = [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'https://evil.example' },
    { origin: 'null' },
  ]
  for (const [headers, rows] of rowsInTier(sent, foreign, 2))
    expect(await everywhere(rows, route => call(userOf(route), route, headers))).toEqual(no(rows))
  const own = sent.filter(({ path }) => path !== '/preferences')
  for (const [csrf, rows] of rowsInTier(own, ['', 'f'.repeat(64), ann.csrf], 1)) {
    const forged = ({ id, username, cookie }: Person) => new Person(id, username, cookie, csrf)
    expect(await everywhere(rows, route => call(forged(userOf(route)), route))).toEqual(no(rows))
  }
  const listed = await admin.fetch('/logout', { method: 'POST', body: `csrf[]=${admin.csrf}&csrf[]=x` })
  expect(listed.status).toBe(403)
})

test('an unregistered method is a 404, and method override headers are ignored', async () => {
  const known = new Set(consoleRoutes.map(({ name }) => name))
  for (const { path } of many(consoleRoutes.filter(isApi))) {
    for (const method of ['PUT', 'PATCH', 'DELETE', 'POST']) {
      if (known.has(`${method} ${path}`)) continue
      const { status } = await call(admin, { method, path })
      expect([method, path, status]).toEqual([method, path, 404])
    }
  }
  const overridden = await call(admin, { method: 'GET', path: '/api/token/' }, { 'x-http-method-override': 'POST' })
  expect(overridden.status).toBe(200)
  expect((await admin.get('/api/token/')).total).toBe(0)
})

test.each([
  '//api/channel/',
  '/api//channel/',
  '/API/channel/',
  '/api/%63hannel/',
  '/api/channel/;x',
  '/api/channel/%2e%2e',
  '/api\\channel/',
  '/api/./channel/',
  '/v1/../api/channel/',
  '/admin//channels',
  '/Admin/channels',
  '/%61dmin/channels',
])('%s does not bypass the guard', async path => {
  for (const person of [anyone, ann]) {
    const response = await person.fetch(path)
    expect([path, response.status]).not.toEqual([path, 200])
    expect(await response.text()).not.toContain('"total"')
  }
})

/** Other spellings of a path, and methods that a route does not name. */
const variants: [what: string, of: (path: string) => string][] = [
  ['slash behind', path => (path.endsWith('/') ? path.slice(0, -1) : `${path}/`)],
  ['double slash', path => `/${path}`],
  ['double slash inside', path => path.replace(/\/(?=[^/]*$)/, '//')],
  ['upper case', path => path.toUpperCase()],
  ['encoded letter', path => path.replace(/\/([a-z])/, (_, letter) => `/%${letter.charCodeAt(0).toString(16)}`)],
  ['encoded dot', path => path.replace(/^\//, '/%2e/')],
  ['parameter', path => `${path};x`],
  ['file ending', path => `${path.replace(/\/$/, '')}.css`],
  ['zero byte', path => `${path}%00`],
  ['backslash', path => path.replaceAll('/', '\\')],
]

test('another spelling of a guarded path has the decision of the route, or is no address', async () => {
  const decisions = [401, 403, 404, 405, 400]
  for (const [person, routes] of [
    [anyone, guarded],
    [ann, ofOperators],
  ] as const) {
    for (const [row, route] of routes.entries()) {
      for (const [what, of] of casesInTier(variants, row, 2)) {
        const { status, to } = await call(person, { method: route.method, path: of(route.path) })
        const isRefused = status === 303 ? to === '/login' || to === '/' : decisions.includes(status)
        expect([route.name, what, status, isRefused]).toEqual([route.name, what, status, true])
      }
    }
  }
})

test('HEAD and OPTIONS tell no more than the route', async () => {
  for (const { path, name } of many(guarded.filter(({ method }) => method === 'GET'))) {
    const address = addressOf({ method: 'GET', path })
    const opening = ['set-cookie', 'access-control-allow-origin']
    for (const method of ['HEAD', 'OPTIONS']) {
      const response = await anyone.fetch(address, { method })
      const leads = response.headers.get('location')?.startsWith('/login') ?? false
      const isRefused = leads || [401, 404, 405].includes(response.status)
      expect([name, method, response.status, isRefused]).toEqual([name, method, response.status, true])
      expect([name, opening.filter(header => response.headers.has(header))]).toEqual([name, []])
    }
  }
})

test('relay routes refuse a request without an API key, with and without a session', async () => {
  // ALL is the 405 of a path. 501 is for paths of the providers' APIs that no caller can use.
  const keyed = allRoutes.filter(route => isOfRelay(route) && !route.path.startsWith('/pg/'))
  const doors = many(keyed.filter(route => !route.name.startsWith('ALL ')))
  // Files of tasks are shown to the session of their owner, and a callback has its secret in its path.
  const otherwise = /\/mj\/image\/|\/tasks\/:id\/files\/|\/videos\/:id\/content|^\/callback\//
  for (const door of doors) {
    const refusals = otherwise.test(door.path) ? [401, 404] : [401, 426, 501]
    expect([door.name, refusals.includes((await call(admin, door)).status)]).toEqual([door.name, true])
  }
  const response = await app.handle(new Request(`${HOME}/v1/models`, { headers: { cookie: admin.cookie } }))
  expect(response.status).toBe(401)
})

test('CORS: no console response is readable by other sites, relay responses without credentials', async () => {
  for (const origin of ['https://evil.example', 'null']) {
    for (const path of ['/api/status', '/api/user/self', '/api/token/', '/login', '/app/tokens', '/api/nothing']) {
      const preflight = {
        origin,
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'tollgate-user',
      }
      for (const answer of [
        await ann.fetch(path, { headers: { origin } }),
        await ann.fetch(path, { method: 'OPTIONS', headers: preflight }),
      ]) {
        const opened = [...answer.headers.keys()].filter(name => name.startsWith('access-control-'))
        expect([path, opened]).toEqual([path, []])
      }
    }
    const machines = await ann.fetch('/v1/models', { headers: { origin } })
    expect(machines.headers.get('access-control-allow-origin')).toBe('*')
    expect(machines.headers.has('access-control-allow-credentials')).toBe(false)
  }
})
