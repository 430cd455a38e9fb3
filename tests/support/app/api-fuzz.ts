/** Random requests from the OpenAPI document: what each operation takes, nearly that, and anything. */

import fc from 'fast-check'
import { Role } from '../../../src/contracts/account.ts'
import { client, MODEL } from '../people/client.ts'
import { anyone, type Person, setUp, visitor } from '../people/person.ts'
import { chat } from '../upstream/chat-scripts.ts'
import { served } from '../upstream/served-channel.ts'

type Schema = {
  $ref?: string
  anyOf?: Schema[]
  enum?: unknown[]
  const?: unknown
  type?: string | string[]
  pattern?: string
  items?: Schema
  properties?: Record<string, Schema>
}
interface Operation {
  parameters?: { $ref?: string; name: string; in: string; required: boolean; schema: Schema }[]
  requestBody?: { content: Record<string, { schema: Schema; example?: object }> }
  'x-access': string
  'x-unavailable'?: true
}
interface Served {
  method: string
  path: string
  operation: Operation
}
interface FuzzCase extends Served {
  who: number
  values: Record<string, string | undefined>
  body: unknown
  key: string | undefined
}

/** They end sessions, ask other servers, or hash passwords for each request. */
const skipped =
  /logout|sessions|DELETE \/api\/user\/self|(test|balance|fetch_models)(\/|$)|test_mail|user\/(login|register|confirm)$|realtime/

const HANG_MS = 30_000
/** Requests at a time, and requests that are made up at a time. */
const CROWD = 10
const BATCH = 500

const nasty = ['', ' ', '\0', '\ud800', 'NaN', 'null', '__proto__', "';--", '%', '../..', 'x'.repeat(5000), '０', '1e9']
const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 24 }),
  fc.nat(5).map(String),
  fc.constantFrom(...nasty, MODEL, 'default', 'root'),
)
const number = fc.oneof(
  fc.nat(5),
  fc.integer(),
  fc.constantFrom(-1, 0.5, 2 ** 53, Number.MAX_SAFE_INTEGER, 1e308, 253_402_300_800),
)

/** A value of the schema, or with every eighth one anything. */
function likely(schema: Schema): fc.Arbitrary<unknown> {
  return fc.oneof({ arbitrary: fitting(schema), weight: 7 }, { arbitrary: fc.jsonValue({ maxDepth: 2 }), weight: 1 })
}

function fitting({ anyOf, enum: values, const: only, type, items, properties }: Schema): fc.Arbitrary<unknown> {
  if (anyOf) return fc.oneof(...anyOf.map(likely))
  if (values) return fc.constantFrom(...values)
  if (only !== undefined) return fc.constant(only)
  if (Array.isArray(type)) return fc.oneof(...type.map(one => likely({ type: one })))
  if (type === 'string') return text
  if (type === 'integer' || type === 'number') return number
  if (type === 'boolean') return fc.boolean()
  if (type === 'null') return fc.constant(null)
  if (type === 'array') return fc.array(likely(items ?? {}), { maxLength: 3 })
  if (properties) return objectOf(properties)
  return fc.jsonValue({ maxDepth: 2 })
}

/** Each field may be missing, and one may be unknown. */
const objectOf = (properties: Record<string, Schema>) =>
  fc.record(Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, likely(schema)])), {
    requiredKeys: [],
  })

function caseOf(served: Served, people: number): fc.Arbitrary<FuzzCase> {
  const { parameters = [], requestBody } = served.operation
  const named = parameters.filter(parameter => !parameter.$ref)
  const [content] = Object.values(requestBody?.content ?? {})
  const values = fc.record(
    Object.fromEntries(named.map(({ name, in: place, schema }) => [`${place} ${name}`, parameterOf(schema)])),
  )
  const body = content
    ? fc.oneof(
        { arbitrary: likely(content.schema), weight: 6 },
        { arbitrary: likely(content.schema).map(fields => ({ ...content.example, ...Object(fields) })), weight: 3 },
        { arbitrary: fc.constant(content.example ?? {}), weight: 1 },
      )
    : fc.constant(undefined)
  const key = fc.option(text, { nil: undefined, freq: 8 })
  return fc
    .record({ who: fc.nat(people - 1), values, body, key: key as fc.Arbitrary<string | undefined> })
    .map(random => ({ ...served, ...random }))
}

const parameterOf = (schema: Schema) =>
  fc.option(
    likely(schema).map(value => (typeof value === 'object' ? JSON.stringify(value) : String(value))),
    { nil: undefined },
  )

/** URL, headers and body as a client can send them. */
function requestOf({ method, path, operation, values, body, key }: FuzzCase, api_key: string) {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name) => encoded(values[`path ${name}`] ?? '1') || '1')
  const query = Object.entries(values).flatMap(([name, value]) =>
    name.startsWith('query ') && value !== undefined ? [`${encoded(name.slice(6))}=${encoded(value)}`] : [],
  )
  const headers: Record<string, string> = {
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...(operation['x-access'] === 'key' && { authorization: `Bearer sk-${api_key}` }),
    ...(key !== undefined && /^[\x20-\x7e]*$/.test(key) && { 'idempotency-key': key }),
  }
  const url = filled + (query.length ? `?${query.join('&')}` : '')
  return { url, init: { method, headers, ...(body !== undefined && { body: JSON.stringify(body) ?? '' }) } }
}

const encoded = (value: string) => encodeURIComponent(value.toWellFormed())

const trace = /\bat [^\n]*:\d+:\d+|node_modules|\/src\/\w|drizzle|SQLITE|Failed query/

/** What is wrong with an answer; undefined for none. */
async function faultOf(one: FuzzCase, person: Person, api_key: string): Promise<string | undefined> {
  const { url, init } = requestOf(one, api_key)
  const hang = Promise.withResolvers<'hang'>()
  const timer = setTimeout(() => hang.resolve('hang'), HANG_MS)
  const response = await Promise.race([person.fetch(url, init), hang.promise])
  const answer = response === 'hang' ? response : await Promise.race([response.text(), hang.promise])
  clearTimeout(timer)
  const name = `${one.method} ${url} ${String(init.body).slice(0, 500)}`
  if (response === 'hang' || answer === 'hang') return `${name}: no answer`
  const { status } = response
  if (status >= 500 && !mayFail(status, answer, one)) return `${name}: ${status} ${answer.slice(0, 300)}`
  if (trace.test(answer) && !answer.includes('"openapi"')) return `${name}: ${trace.exec(answer)?.[0]}`
}

/**
 * 501 for operations that are not available, 503 for a model that no channel has, 502 for a channel that root has made to
 * call the upstream in a format which it does not speak.
 */
function mayFail(status: number, answer: string, { operation }: FuzzCase): boolean {
  if (status === 501) return operation['x-unavailable'] === true
  if (status === 502) return answer.includes('"upstream_unusable"')
  return status === 503 && /channel/i.test(answer)
}

/** Sends random requests. @returns what was wrong, with the requests */
export async function fuzz(cases: number, seed: number): Promise<string[]> {
  const root = await setUp()
  await served(chat())
  const { key } = await client()
  const people = [anyone, await visitor(), await visitor(Role.admin), root]
  const { paths } = (await (await anyone.fetch('/openapi.json')).json()) as {
    paths: Record<string, Record<string, Operation>>
  }
  const operations = Object.entries(paths)
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
    )
    .filter(({ method, path }) => !skipped.test(`${method} ${path}`))
  const random = fc.oneof(...operations.map(operation => caseOf(operation, people.length)))
  const faults: string[] = []
  for (let sent = 0; sent < cases && faults.length < CROWD; sent += BATCH) {
    const batch = fc.sample(random, { numRuns: Math.min(BATCH, cases - sent), seed: seed + sent })
    for (const crowd of crowdsOf(batch)) {
      const found = await Promise.all(crowd.map(one => faultOf(one, people[one.who]!, key)))
      faults.push(...found.filter(fault => fault !== undefined))
    }
  }
  return faults
}

const crowdsOf = (batch: FuzzCase[]) =>
  Array.from({ length: Math.ceil(batch.length / CROWD) }, (_, at) => batch.slice(at * CROWD, (at + 1) * CROWD))
