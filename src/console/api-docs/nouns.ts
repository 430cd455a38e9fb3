/** The operations of the API document as the page shows them, by noun. */
import type { ApiField, ApiNoun, ApiOperation } from '../../contracts/api-docs.ts'
import type { ApiDocument, OperationObject, Parameter } from './document.ts'
import type { JsonSchema } from './schema.ts'

export function nounsOf({ tags, paths }: ApiDocument): ApiNoun[] {
  const all = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => operationOf(method.toUpperCase(), path, operation)),
  )
  const byNoun = Map.groupBy(all, ({ noun }) => noun)
  return tags.map(({ name, description }) => ({ noun: name, title: description, operations: byNoun.get(name) ?? [] }))
}

function operationOf(method: string, path: string, operation: OperationObject): ApiOperation {
  const { parameters = [], requestBody } = operation
  const named = parameters.flatMap(parameter => ('$ref' in parameter ? [] : [parameter]))
  const [type, content] = Object.entries(requestBody?.content ?? {})[0] ?? []
  return {
    id: operation.operationId,
    noun: operation.tags[0]!,
    method,
    path,
    summary: operation.summary,
    description: operation.description ?? '',
    access: operation['x-access'],
    confirmed: operation['x-confirmed'] ?? false,
    idempotent: named.length < parameters.length,
    is_available: !operation['x-unavailable'],
    has_effect: method !== 'GET' || (operation['x-has-effect'] ?? false),
    of_relay: !path.startsWith('/api/') || operation['x-access'] === 'key',
    fields: [...named.map(parameterField), ...bodyFields(content?.schema)],
    body_type: type === undefined ? 'none' : type.includes('json') ? 'json' : 'form',
    example: content?.example ? JSON.stringify(content.example, null, 2) : '',
    response: responseOf(operation),
  }
}

const parameterField = ({ name, in: place, required, schema, description }: Parameter): ApiField => ({
  name,
  place: place === 'path' ? 'path' : 'query',
  type: typeOf(schema),
  is_required: required,
  about: aboutOf({ ...schema, description }),
})

function bodyFields(schema: JsonSchema | undefined): ApiField[] {
  const { properties = {}, required = [] } = (schema ?? {}) as {
    properties?: Record<string, JsonSchema>
    required?: string[]
  }
  return Object.entries(properties).map(([name, field]) => ({
    name,
    place: 'body',
    type: typeOf(field),
    is_required: required.includes(name),
    about: aboutOf(field),
  }))
}

/** Type of `data` in the envelope, or of the whole response. */
function responseOf({ responses }: OperationObject): string {
  const { content = {} } = (responses['200'] ?? {}) as { content?: Record<string, { schema: JsonSchema }> }
  const [body] = Object.values(content)
  const envelope = (body?.schema.anyOf as JsonSchema[] | undefined)?.[0]
  const data = (envelope?.properties as Record<string, JsonSchema> | undefined)?.data
  return typeOf(data ?? body?.schema ?? {})
}

/** As `integer`, `string or null`, `Token[]`; `any` without a type. */
export function typeOf({ $ref, anyOf, enum: values, const: only, type, items, properties }: JsonSchema): string {
  if (typeof $ref === 'string') return $ref.slice($ref.lastIndexOf('/') + 1)
  if (Array.isArray(anyOf)) return [...new Set(anyOf.map(typeOf))].join(' or ')
  if (Array.isArray(values)) return values.map(value => JSON.stringify(value)).join(' or ')
  if (only !== undefined) return JSON.stringify(only)
  if (Array.isArray(type)) return type.join(' or ')
  if (type === 'array') return `${typeOf((items ?? {}) as JsonSchema)}[]`
  if (type === 'object' && properties) return listingType(properties as Record<string, JsonSchema>)
  return typeof type === 'string' ? type : 'any'
}

/** A page of a list by its items. */
function listingType({ items, page_size }: Record<string, JsonSchema>): string {
  return items && page_size ? `{ items: ${typeOf(items)}, total, page, page_size }` : 'object'
}

function aboutOf({ minimum, maximum, minLength, maxLength, default: absent, description }: JsonSchema): string {
  const range =
    minimum !== undefined && maximum !== undefined
      ? `${minimum}–${maximum}`
      : minimum !== undefined
        ? `≥ ${minimum}`
        : maximum !== undefined
          ? `≤ ${maximum}`
          : ''
  const length = maxLength !== undefined ? `≤ ${maxLength} characters` : minLength ? 'not empty' : ''
  const filled = absent !== undefined ? `default ${JSON.stringify(absent)}` : ''
  return [description, range, length, filled].filter(Boolean).join(' · ')
}
