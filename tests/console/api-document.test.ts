// @engine both
/** The OpenAPI document: every route and only those, valid in itself, and true of recorded responses. */
import { beforeAll, expect, test } from 'bun:test'
import { z } from 'zod'
import { notedRoutes } from '../../src/console/api-docs/document.ts'
import { shiftClock } from '../../src/process/clock.ts'
import { apiRoutes } from '../../src/relay/endpoints/table.ts'
import { bodies } from '../support/app/bodies.ts'
import { accessOf, isApi, isOfRelay, routes } from '../support/app/routes.ts'
import { type Client, client } from '../support/people/client.ts'
import { anyone, type Person, setUp } from '../support/people/person.ts'
import { chat } from '../support/upstream/chat-scripts.ts'
import { served } from '../support/upstream/served-channel.ts'

interface OperationObject {
  operationId: string
  tags: string[]
  summary: string
  parameters?: { $ref?: string; name: string; in: string; required: boolean; schema: object }[]
  requestBody?: { required: boolean; content: Record<string, { schema: Record<string, unknown>; example?: object }> }
  responses: Record<string, { $ref?: string; description?: string; content?: Record<string, { schema: object }> }>
  security: Record<string, string[]>[]
  'x-access': string
  'x-confirmed'?: true
  'x-unavailable'?: true
  'x-has-effect'?: true
}
interface DocumentObject {
  openapi: string
  info: { title: string; version: string; description: string }
  tags: { name: string }[]
  paths: Record<string, Record<string, OperationObject>>
  components: Record<string, Record<string, object>>
}

let text: string
let document: DocumentObject
let root: Person
let ann: Client

beforeAll(async () => {
  root = await setUp()
  await served(chat())
  ann = await client()
  const response = await anyone.fetch('/openapi.json')
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toContain('application/json')
  text = await response.text()
  document = JSON.parse(text)
})

const OPERATIONS_MIN = 100

/** All of them: loops over an empty document would show nothing. */
function operations() {
  const found = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  )
  expect(found.length).toBeGreaterThan(OPERATIONS_MIN)
  return found
}
const nameOf = ({ method, path }: { method: string; path: string }) =>
  `${method} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`

/** Every object in the document, with the way to it. */
function* objectsIn(value: unknown, at = '#'): Generator<[at: string, object: Record<string, unknown>]> {
  if (typeof value !== 'object' || value === null) return
  yield [at, value as Record<string, unknown>]
  for (const [name, inner] of Object.entries(value)) yield* objectsIn(inner, `${at}/${name}`)
}

const resolve = (ref: string): unknown =>
  ref
    .slice(2)
    .split('/')
    .reduce((value: unknown, name) => Object(value)[name], document)

test('every route of the console and of the relay is in the document, and no other', () => {
  const ofConsole = routes.filter(route => isApi(route) && route.method !== 'OPTIONS').map(nameOf)
  const ofRelay = apiRoutes.map(({ method, path }) => `${method} ${path.replace('*', ':model')}`)
  expect(operations().map(nameOf).sort()).toEqual([...new Set([...ofConsole, ...ofRelay])].sort())
})

test('every available operation has a summary, and no summary is without its route', () => {
  const served = [
    ...routes.filter(route => isApi(route)).map(({ method, path }) => `${method} ${path}`),
    ...apiRoutes.filter(({ handle }) => handle).map(({ method, path }) => `${method} ${path}`),
  ]
  expect(notedRoutes.toSorted()).toEqual([...new Set(served)].sort())
  for (const { operation } of operations()) {
    expect([operation.operationId, /^\S.*[.]$/.test(operation.summary)]).toEqual([operation.operationId, true])
    expect(document.tags.map(({ name }) => name)).toContain(operation.tags[0]!)
  }
})

test('the rights in the document are those of the routes', () => {
  const written = { anyone: 'anyone', signedIn: 'users', admin: 'admins', root: 'root' } as Record<string, string>
  const ofConsole = operations().filter(({ path }) => !isOfRelay({ path }))
  const stated = ofConsole.map(one => [nameOf(one), written[one.operation['x-access']]])
  expect(stated).toEqual(ofConsole.map(one => [nameOf(one), accessOf.get(nameOf(one))]) as never)
  for (const { operation } of operations()) {
    expect([operation.operationId, operation.security.length > 0]).toEqual([
      operation.operationId,
      operation['x-access'] !== 'anyone',
    ])
  }
})

test('the document marks a GET that changes something, and none that only reads', () => {
  const marks = ['/api/user/logout', '/api/oauth/wechat', '/api/status'].map(
    path => document.paths[path]!.get!['x-has-effect'],
  )
  expect(marks).toEqual([true, true, undefined])
})

test('the document marks the steps that need a confirmation, and each of them asks for one', async () => {
  const marked = operations().filter(({ operation }) => operation['x-confirmed'])
  expect(marked.map(nameOf).sort()).toEqual([
    ...['DELETE /api/oauth/:provider', 'DELETE /api/user/authenticator', 'DELETE /api/user/passkeys/:id'],
    ...['DELETE /api/user/self', 'GET /api/oauth/email/bind', 'GET /api/oauth/telegram/bind'],
    ...['GET /api/oauth/wechat/bind', 'GET /api/user/token', 'POST /api/user/authenticator'],
    ...['POST /api/user/authenticator/confirm', 'POST /api/user/passkey-challenge', 'POST /api/user/passkeys'],
    ...['POST /api/user/recovery-codes', 'POST /api/user/topup/stray/:id/credit'],
    'POST /api/user/topup/stray/:id/dismiss',
  ])
  shiftClock(301)
  for (const { method, path } of marked) {
    const response = await root.fetch(path.replace('{provider}', 'github').replace('{id}', '1'), {
      method,
      body: method === 'GET' ? undefined : '{}',
    })
    expect([path, response.status, await response.json()]).toMatchObject([
      path,
      403,
      { code: 'security.confirm_required' },
    ])
  }
  shiftClock(-301)
})

test('the document is valid OpenAPI 3.1 in itself', () => {
  expect(document.openapi).toBe('3.1.0')
  expect(Object.keys(document.info)).toEqual(['title', 'version', 'description'])
  const refs = [...objectsIn(document)].flatMap(([at, { $ref }]) => (typeof $ref === 'string' ? [[at, $ref]] : []))
  expect(refs.filter(([, ref]) => !ref!.startsWith('#/components/') || resolve(ref!) === undefined)).toEqual([])
  const ids = operations().map(({ operation }) => operation.operationId)
  expect(new Set(ids).size).toBe(ids.length)
  const schemes = Object.keys(document.components.securitySchemes!)
  for (const { path, operation } of operations()) {
    const named = (operation.parameters ?? []).filter(parameter => !parameter.$ref)
    const inPath = named.filter(parameter => parameter.in === 'path').map(({ name }) => name)
    expect([path, inPath]).toEqual([path, [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!)])
    expect(named.filter(parameter => parameter.in === 'path' && !parameter.required)).toEqual([])
    expect(new Set(named.map(({ name, in: place }) => `${place} ${name}`)).size).toBe(named.length)
    expect(operation.security.flatMap(Object.keys).filter(name => !schemes.includes(name))).toEqual([])
    for (const [status, response] of Object.entries(operation.responses)) {
      expect([path, status, /^([1-5]\d\d|default)$/.test(status)]).toEqual([path, status, true])
      expect([path, status, Boolean(response.$ref ?? response.description)]).toEqual([path, status, true])
    }
  }
})

test('the document has no secret and no trace of its making', () => {
  for (const trace of ['$defs', '$schema', 'undefined', 'function'])
    expect([trace, text.includes(trace)]).toEqual([trace, false])
  expect(text.includes(ann.key)).toBe(false)
})

const validators = new Map<object, z.ZodType>()
const validator = (schema: object) => validators.getOrInsertComputed(schema, zodOf)

/** A zod schema of a schema in the document, without patterns of Unicode classes: zod reads them without the flag. */
const zodOf = (schema: object) =>
  z.fromJSONSchema(
    JSON.parse(
      JSON.stringify({ ...schema, $defs: document.components.schemas }, (name, value) =>
        name === 'pattern' && String(value).includes('\\P{') ? undefined : value,
      ).replaceAll('#/components/schemas/', '#/$defs/'),
    ),
  )

test('examples and known bodies of writing operations fit their schemas', () => {
  const ignored = ['DELETE', 'POST /api/user/reset']
  let checked = 0
  for (const { method, path, operation } of operations()) {
    const json = operation.requestBody?.content['application/json']
    if (!json || ignored.includes(method)) continue
    const body = bodies[nameOf({ method, path })]
    for (const value of [json.example, body].filter(one => one !== undefined)) {
      checked++
      const { error } = validator(json.schema).safeParse(value)
      expect([method, path, error?.issues.map(issue => [issue.path, issue.message])]).toEqual([method, path, undefined])
    }
  }
  expect(checked).toBeGreaterThan(OPERATIONS_MIN / 2)
})

test('recorded responses fit the schemas of their operations', async () => {
  await (await ann.chat()).text()
  const { data: key } = await ann.person.post('/api/token/', { name: 'fitting' })
  const { data: codes } = await root.post('/api/redemption/', { name: 'fitting', count: 2 })
  expect(codes).toHaveLength(2)
  const recorded: [path: string, at: string, person: Person][] = [
    ['/api/status', '/api/status', anyone],
    ['/api/status/test', '/api/status/test', root],
    ['/api/pricing', '/api/pricing', anyone],
    ['/api/user/self', '/api/user/self', ann.person],
    ['/api/user/self/groups', '/api/user/self/groups', ann.person],
    ['/api/user/models', '/api/user/models', ann.person],
    ['/api/models', '/api/models', ann.person],
    ['/api/token/', '/api/token/', ann.person],
    ['/api/token/search', '/api/token/search?keyword=fit', ann.person],
    ['/api/token/{id}', `/api/token/${key.id}`, ann.person],
    ['/api/log/self', '/api/log/self', ann.person],
    ['/api/log/self/stat', '/api/log/self/stat', ann.person],
    ['/api/log/self/search', '/api/log/self/search?keyword=2', ann.person],
    ['/api/log/token', `/api/log/token?key=${ann.key}`, ann.person],
    ['/api/log/', '/api/log/', root],
    ['/api/data/self', '/api/data/self', ann.person],
    ['/api/user/statement', '/api/user/statement', ann.person],
    ['/api/user/topup/self', '/api/user/topup/self', ann.person],
    ['/api/user/messages', '/api/user/messages', ann.person],
    ['/api/user/', '/api/user/', root],
    ['/api/user/search', '/api/user/search?keyword=root', root],
    ['/api/user/{id}', `/api/user/${ann.person.id}`, root],
    ['/api/redemption/', '/api/redemption/', root],
    ['/api/channel/', '/api/channel/', root],
    ['/api/option/', '/api/option/', root],
    ['/api/group/', '/api/group/', root],
  ]
  for (const [path, at, person] of recorded) {
    const { status: _, ...answer } = await person.get(at)
    fits('GET', path, answer)
    expect([path, answer.success]).toEqual([path, true])
  }
  fits('GET', '/api/token/{id}', strip(await root.get('/api/token/999999')))
  fits('POST', '/api/token/', strip(await ann.person.post('/api/token/', { name: 'three', count: 3 })))
})

test('recorded responses of the API of models fit the schemas of their operations', async () => {
  const headers = { authorization: `Bearer ${ann.key}` }
  for (const path of ['/v1/models', '/v1/dashboard/billing/subscription', '/dashboard/billing/usage'])
    fits('GET', path, await (await fetch(ann.url + path, { headers })).json())
  fits('POST', '/v1/chat/completions', await (await ann.chat()).json())
})

/** Addresses of reading operations where 1 for every parameter and no query do not serve. */
const addresses: Record<string, string> = {
  '/api/channel/run/{kind}': '/api/channel/run/test',
  '/api/channel/routes': '/api/channel/routes?group=default&model=gpt-4o',
  '/api/redemption/count-by-name': '/api/redemption/count-by-name?name=fitting',
  '/api/log/search': '/api/log/search?keyword=2',
  '/api/log/self/search': '/api/log/self/search?keyword=2',
  '/api/playground/receipt/{request_id}': `/api/playground/receipt/req_${'a'.repeat(22)}`,
}

/** They need a mail, a provider, a row of root's own, a key or a model that the upstream has. */
const refusedReads =
  /oauth|reset_password|verification|channel\/test\/|update_balance\/|messages\/\{|log\/token$|token\/\{|ratio_config$/
/** They end the session of root. */
const endsSession = ['GET /api/user/logout', 'GET /api/user/token', 'DELETE /api/user/self', 'PUT /api/user/self']

test('the responses of every operation fit its schema, served or refused', async () => {
  const refused: string[] = []
  const misfits: unknown[] = []
  let checked = 0
  for (const { method, path, operation } of operations()) {
    const name = nameOf({ method, path })
    const isJson = operation.responses['200']?.content?.['application/json']
    if (!isApi({ path }) || !isJson || endsSession.includes(name)) continue
    const isRead = method === 'GET'
    const at = addresses[path] ?? path.replaceAll(/\{\w+\}/g, isRead ? '1' : '999999')
    const init = isRead ? {} : { method, body: JSON.stringify(bodies[name] ?? {}) }
    checked++
    for (const person of [anyone, root]) {
      const response = await person.fetch(at, init)
      const answer = (await response.json()) as { success: boolean }
      const { error } = schemaFor(operation, response.status).safeParse(answer)
      if (error) misfits.push([name, response.status, answer])
      if (isRead && person === root && !answer.success) refused.push(path)
    }
  }
  expect(checked).toBeGreaterThan(OPERATIONS_MIN / 2)
  expect(misfits).toEqual([])
  expect(refused.filter(path => !refusedReads.test(path))).toEqual([])
})

const refusal = { $ref: '#/components/schemas/Refusal' }

/** Of a status that the operation states; every other one is a refusal. */
const schemaFor = ({ responses }: OperationObject, status: number) =>
  validator(responses[status]?.content?.['application/json']?.schema ?? refusal)

const strip = ({ status: _, ...answer }: Record<string, unknown>) => answer

function fits(method: string, path: string, answer: unknown) {
  const { schema } = document.paths[path]![method.toLowerCase()]!.responses['200']!.content!['application/json']!
  const { error } = validator(schema).safeParse(answer)
  expect([path, error && z.prettifyError(error)]).toEqual([path, undefined])
}
