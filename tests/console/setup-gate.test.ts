// @engine sqlite
/** Before the set-up: what the site answers, by the tables of its routes. */
import { expect, test } from 'bun:test'
import { consoleApp } from '../../src/console-app.ts'
import { Role } from '../../src/contracts/account.ts'
import { atomic } from '../../src/db/atomic.ts'
import { addUser } from '../../src/domain/users/service.ts'
import { app } from '../support/app/app.ts'
import { anyone, cheapHash, HOME } from '../support/people/person.ts'

const open = ['GET /api/setup', 'POST /api/setup', 'GET /api/status', 'GET /healthz', 'GET /readyz']

/** Pages that show no data: the set-up itself, its files, the preferences of the browser, and metrics, which have their own key. */
const unguarded =
  /^(GET|POST) \/setup(\/import(\/:id)?)?$|^GET \/(metrics|build\/:name|favicon\.\w+|custom\/global\.\w+|files(\/.*)?)$|^POST \/preferences$/

const namesOf = (list: readonly { method: string; path: string }[]) =>
  list
    .filter(({ method, path }) => method !== 'OPTIONS' && path !== '/*')
    .map(({ method, path }) => `${method} ${path}`)
    .filter(name => !open.includes(name) && !unguarded.test(name))

const ofConsole = namesOf(consoleApp.routes)
const isApi = (name: string) => / \/(api\/|openapi\.json)/.test(name)
const api = [...namesOf(app.routes), ...ofConsole.filter(isApi)]
const pages = ofConsole.filter(name => !isApi(name))

async function outcomeOf(name: string) {
  const [method, path] = name.split(' ') as [string, string]
  const url = HOME + path.replaceAll(/:\w+\??/g, '1').replaceAll('*', 'x')
  const init = { method: method === 'ALL' ? 'PATCH' : method, headers: { accept: 'text/html', origin: HOME } }
  const response = await app.handle(new Request(url, { ...init, redirect: 'manual' }))
  return { status: response.status, location: response.headers.get('location'), text: await response.text() }
}

test('before set-up the API refuses every route but set-up, status and health', async () => {
  expect(api.length).toBeGreaterThan(200)
  for (const name of api) {
    const { status, text } = await outcomeOf(name)
    expect([name, status, text]).toEqual([name, 503, expect.stringMatching(/not set up yet|尚未完成初始化/)])
  }
  for (const name of open.filter(name => name.startsWith('GET')))
    expect([name, (await outcomeOf(name)).status]).toEqual([name, 200])
})

test('before set-up every page leads to the set-up, its forms too', async () => {
  expect(pages.length).toBeGreaterThan(100)
  for (const name of pages) expect([name, await outcomeOf(name)]).toMatchObject([name, { location: '/setup' }])
})

test('before set-up an imported account does not sign in, and afterwards it does', async () => {
  const password = await cheapHash('opensesame')
  await atomic(tx => addUser(tx, { username: 'boss', password, role: Role.root }))
  const credentials = { username: 'boss', password: 'opensesame' }
  expect(await anyone.post('/api/user/login', credentials)).toMatchObject({ status: 503, code: 'error.not_set_up' })
  expect(await anyone.post('/api/setup', {})).toMatchObject({ success: true })
  expect(await anyone.post('/api/user/login', credentials)).toMatchObject({ success: true })
  expect((await outcomeOf('GET /v1/models')).status).toBe(401)
})
