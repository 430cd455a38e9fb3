/** The OpenAPI 3.1 document of the served routes. */
import type { z } from 'zod'
import type { ApiAccess, ApiTag, ServedRoute } from '../../contracts/api-docs.ts'
import { type Translate, translator } from '../../locales/index.ts'
import type { Language } from '../../locales/languages.ts'
import { VERSION } from '../../pure/version.ts'
import { operationGroups } from './operations/index.ts'
import type { OperationNotes } from './operations/notes.ts'
import { introduction, refusal, responses, securitySchemes } from './parts.ts'
import { bodySchemaOf, type JsonSchema, schemaOf } from './schema.ts'

export interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required: boolean
  schema: JsonSchema
  description?: string
}

export interface OperationObject {
  operationId: string
  tags: string[]
  summary: string
  description?: string
  parameters?: (Parameter | { $ref: string })[]
  requestBody?: { required: boolean; content: Record<string, { schema: JsonSchema; example?: object }> }
  responses: Record<string, unknown>
  security: Record<string, string[]>[]
  'x-access': ApiAccess
  'x-confirmed'?: true
  'x-unavailable'?: true
  /** A GET that changes or sends something. */
  'x-has-effect'?: true
}

export interface ApiDocument {
  openapi: '3.1.0'
  tags: { name: ApiTag; description: string }[]
  paths: Record<string, Record<string, OperationObject>>
  components: { schemas: Record<string, JsonSchema> } & Record<string, unknown>
  [more: string]: unknown
}

type Components = Record<string, JsonSchema>

const notesOf = new Map(
  operationGroups.flatMap(({ noun, operations }) =>
    Object.entries(operations).map(([name, notes]) => [name, { noun, notes }] as const),
  ),
)

/** Names of the routes that have notes. */
export const notedRoutes = [...notesOf.keys()]

/** @param language of the summaries; all else is English */
export function documentOf(routes: readonly ServedRoute[], language: Language = 'en'): ApiDocument {
  const t = translator(language)
  const schemas: Components = { Refusal: refusal }
  const paths: ApiDocument['paths'] = {}
  for (const route of routes) {
    const at = pathOf(route.path)
    paths[at] ??= {}
    paths[at][route.method.toLowerCase()] = operationOf(route, at, schemas, t)
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Tollgate', version: VERSION, description: introduction },
    servers: [{ url: '/' }],
    tags: operationGroups.map(({ noun, title }) => ({ name: noun, description: title })),
    paths,
    components: { schemas, responses, securitySchemes, parameters },
  }
}

const unavailable: { noun: ApiTag; notes: OperationNotes } = {
  noun: 'models',
  notes: { summary: 'operation.unavailable' },
}

/** `/v1/models/*:embedContent` is `/v1/models/{model}:embedContent`. */
const pathOf = (path: string) => path.replace('*', '{model}').replace(/\/:(\w+)/g, '/{$1}')

function operationOf(route: ServedRoute, at: string, components: Components, t: Translate): OperationObject {
  const { noun, notes } = notesOf.get(`${route.method} ${route.path}`) ?? unavailable
  const body = bodyOf(notes, components)
  const fields = [...pathParameters(route, at, components), ...queryParameters(notes.query ?? route.query, components)]
  const shared = notes.idempotent ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []
  return {
    operationId: `${route.method}${at}`.replaceAll(/\W+/g, '_').replace(/_$/, '').toLowerCase(),
    tags: [noun],
    summary: t(notes.summary),
    ...(notes.description && { description: notes.description }),
    ...(fields.length + shared.length > 0 && { parameters: [...fields, ...shared] }),
    ...(body && { requestBody: body }),
    responses: { '200': responseOf(route, notes, components), ...failuresOf(route, notes) },
    security: securityOf(route),
    'x-access': route.access,
    ...(route.confirmed && { 'x-confirmed': true as const }),
    ...(notes.has_effect && { 'x-has-effect': true as const }),
    ...(!route.is_available && { 'x-unavailable': true as const }),
  }
}

function bodyOf(
  { body, form, example, ...rules }: OperationNotes,
  components: Components,
): OperationObject['requestBody'] {
  if (!body) return undefined
  const type = form ? 'multipart/form-data' : 'application/json'
  const schema = bodySchemaOf(body, rules, components)
  return { required: true, content: { [type]: { schema, ...(example && { example }) } } }
}

const parameters = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    schema: { type: 'string', minLength: 1, maxLength: 255 },
    description: 'A repeated request with the same key returns the first result and changes nothing.',
  },
}

function pathParameters({ params }: ServedRoute, at: string, components: Components): Parameter[] {
  const properties = params ? propertiesOf(params, components) : {}
  return [...at.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name: name!,
    in: 'path',
    required: true,
    schema: properties[name!] ?? { type: 'string' },
  }))
}

/** Meanings of parameters that many lists share. */
const shared: Record<string, string> = {
  p: 'Number of the page.',
  page_size: 'Rows per page: at most 100, 10 by default.',
  size: 'Rows per page: at most 100.',
  start_timestamp: 'Unix seconds, inclusive.',
  end_timestamp: 'Unix seconds, inclusive.',
}

function queryParameters(query: z.ZodType | undefined, components: Components): Parameter[] {
  if (!query) return []
  const { required = [] } = schemaOf(query, 'input', components) as { required?: string[] }
  return Object.entries(propertiesOf(query, components)).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema,
    ...describing((description as string | undefined) ?? shared[name]),
  }))
}

const describing = (description: string | undefined) => (description ? { description } : {})

const propertiesOf = (type: z.ZodType, components: Components) =>
  (schemaOf(type, 'input', components).properties ?? {}) as Record<string, JsonSchema>

/** The response of a success: in the envelope, where a refusal can come with status 200 too. */
function responseOf({ of_relay }: ServedRoute, notes: OperationNotes, components: Components) {
  const own = notes.response && schemaOf(notes.response, 'output', components)
  if (own?.type === 'string') return { description: 'Text', content: { 'text/plain': { schema: own } } }
  if (of_relay) return { description: 'Success', content: { 'application/json': { schema: own ?? {} } } }
  const beside = Object.entries(notes.beside ?? {}).map(([name, type]) => [
    name,
    schemaOf(type as z.ZodType, 'output', components),
  ])
  const envelope = {
    type: 'object',
    required: [...new Set(['success', 'message', 'data', ...beside.map(([name]) => name)])],
    properties: {
      success: { const: true },
      message: { type: 'string' },
      data: notes.data ? schemaOf(notes.data, 'output', components) : {},
      ...Object.fromEntries(beside),
    },
  }
  const schema = { anyOf: [envelope, { $ref: '#/components/schemas/Refusal' }] }
  return { description: 'Success, or a refusal by a rule', content: { 'application/json': { schema } } }
}

const failure = (name: string) => ({ $ref: `#/components/responses/${name}` })

function failuresOf({ access, of_relay, is_available, path, params }: ServedRoute, notes: OperationNotes) {
  if (!is_available) return { '501': failure('ApiError') }
  if (of_relay) return { default: failure('ApiError') }
  return {
    ...((notes.body || notes.query || params) && { '400': failure('Invalid') }),
    ...(access !== 'anyone' && { '401': failure('Unauthorized') }),
    '403': failure('Forbidden'),
    ...(/[:*]/.test(path) && { '404': failure('NotFound') }),
    ...(notes.idempotent && { '409': failure('Conflict') }),
    '429': failure('TooManyRequests'),
    '503': failure('Unavailable'),
  }
}

const session = ['session', 'userId']

/** Each entry is a choice; the schemes of an entry go together. */
function securityOf(route: ServedRoute): OperationObject['security'] {
  return schemesOf(route).map(schemes => Object.fromEntries(schemes.map(scheme => [scheme, []])))
}

function schemesOf({ access, of_relay, key_in_query, confirmed }: ServedRoute): string[][] {
  if (access === 'anyone') return []
  if (access !== 'key') return of_relay || confirmed ? [session] : [session, ['accessToken', 'userId']]
  const forms = [['apiKey'], ['apiKeyHeader'], ['googleKeyHeader']]
  return key_in_query ? [...forms, ['apiKeyQuery']] : forms
}
