/** The setting `routes` of a custom channel: its rows, their values, their checks. It needs no schema library. */
import { isWebAddress } from './address.ts'

/** Operations that an endpoint can serve, in the order in which they are offered. */
export const customOperations = [
  'chat',
  'responses',
  'completions',
  'embeddings',
  'rerank',
  'image_generations',
  'image_edits',
  'image_variations',
  'speech',
  'transcriptions',
  'translations',
  'moderations',
] as const
export type CustomOperation = (typeof customOperations)[number]

/** Formats of chats and Responses. Each other operation has one format. */
export const customFormats = ['openai-chat', 'openai-responses', 'anthropic', 'gemini'] as const
export type CustomFormat = (typeof customFormats)[number]

/** Where a request has the key: `Authorization: Bearer`, a header as it is, a query parameter, nowhere. */
export const keyPlaces = ['bearer', 'header', 'query', 'none'] as const
export type KeyPlace = (typeof keyPlaces)[number]

export interface CustomEndpoint {
  /** What clients ask for. */
  operation: CustomOperation
  /** Absolute; `{model}` in it stands for the upstream's name of the model. */
  url: string
  /** Format of a chat or response; follows from the operation unless given. */
  format?: CustomFormat
  key_in: KeyPlace
  /** Name of the header or of the query parameter. */
  key_name?: string
  /** The upstream's names of models, with `*` for any letters; every model unless given. */
  models?: string[]
}

export const ENDPOINTS_MAX = 100
export const ENDPOINT_URL_MAX = 2000
const KEY_NAME_MAX = 100
const MODELS_MAX = 1000
const MODEL_NAME_MAX = 255

export const MODEL_PLACE = '{model}'

/** Operations whose format an endpoint can choose. */
export const hasFormats = (operation: unknown): boolean => operation === 'chat' || operation === 'responses'

/** What is wrong with a row: the end of a message key, `channel.route_…`, and the row's field. */
export interface CustomEndpointFlaw {
  code:
    | 'routes_required'
    | 'routes_too_many'
    | 'route_operation'
    | 'route_url'
    | 'route_url_model'
    | 'route_format'
    | 'route_key_in'
    | 'route_key_name'
    | 'route_models'
  /** From 1; 0 for the list. */
  row: number
  field?: keyof CustomEndpoint
}

/** @param value of the setting. @returns the first flaw */
export function customEndpointsFlaw(value: unknown): CustomEndpointFlaw | undefined {
  if (!Array.isArray(value) || !value.length) return { code: 'routes_required', row: 0 }
  if (value.length > ENDPOINTS_MAX) return { code: 'routes_too_many', row: 0 }
  for (const [index, endpoint] of value.entries()) {
    const found = rowFlaw(isRow(endpoint) ? endpoint : {})
    if (found) return { ...found, row: index + 1 }
  }
}

type Row = Partial<Record<keyof CustomEndpoint, unknown>>

const isRow = (value: unknown): value is Row => typeof value === 'object' && value !== null && !Array.isArray(value)

function rowFlaw({
  operation,
  url,
  format,
  key_in,
  key_name,
  models,
}: Row): Omit<CustomEndpointFlaw, 'row'> | undefined {
  if (!isOneOf(customOperations, operation)) return { code: 'route_operation', field: 'operation' }
  const code = urlFlaw(url)
  if (code) return { code, field: 'url' }
  if (format !== undefined && !(hasFormats(operation) && isOneOf(customFormats, format)))
    return { code: 'route_format', field: 'format' }
  if (!isOneOf(keyPlaces, key_in)) return { code: 'route_key_in', field: 'key_in' }
  if (!isKeyName(key_in, key_name)) return { code: 'route_key_name', field: 'key_name' }
  if (models !== undefined && !isModelList(models)) return { code: 'route_models', field: 'models' }
}

const isOneOf = (values: readonly unknown[], value: unknown) => values.includes(value)

/** The model may not decide to which host the key goes, and no name or password of the address replaces the key. */
function urlFlaw(value: unknown): 'route_url' | 'route_url_model' | undefined {
  if (typeof value !== 'string' || value.length > ENDPOINT_URL_MAX || value.includes('#')) return 'route_url'
  if (/[{}]/.test(value.replaceAll(MODEL_PLACE, ''))) return 'route_url_model'
  const [origin = ''] = /^[^/]*\/\/[^/?]*/.exec(value) ?? []
  if (/[{}]/.test(origin)) return 'route_url_model'
  if (!isWebAddress(value.replaceAll(MODEL_PLACE, 'm'))) return 'route_url'
  const { username, password } = new URL(origin)
  return username || password ? 'route_url' : undefined
}

/** Headers that the gateway writes itself, or that decide where a request ends. */
const ownHeaders =
  /^(?:host|connection|content-.*|transfer-encoding|te|trailer|upgrade|expect|keep-alive|accept-encoding|proxy-.*)$/i

function isKeyName(place: unknown, name: unknown): boolean {
  if (place === 'bearer' || place === 'none') return name === undefined || name === ''
  if (typeof name !== 'string' || name.length > KEY_NAME_MAX) return false
  return place === 'query' ? /^[\w.~-]+$/.test(name) : /^[\w!#$%&'*+.^`|~-]+$/.test(name) && !ownHeaders.test(name)
}

const isModelList = (models: unknown): boolean =>
  Array.isArray(models) &&
  models.length <= MODELS_MAX &&
  models.every(name => typeof name === 'string' && name.trim() !== '' && name.length <= MODEL_NAME_MAX)

/** @returns the rows of a channel's setting; none when they are not sound */
export const customEndpointsIn = (setting: { routes?: unknown } | undefined): CustomEndpoint[] =>
  setting && !customEndpointsFlaw(setting.routes) ? (setting.routes as CustomEndpoint[]) : []

/** Whether an endpoint serves a model, by the upstream's name. */
export const servesModel = ({ models }: Pick<CustomEndpoint, 'models'>, model: string): boolean =>
  !models?.length || models.some(pattern => matches(pattern.trim(), model))

/** Looks for the texts between the asterisks one after the other: a pattern takes no more time than the name is long. */
function matches(pattern: string, name: string): boolean {
  const [first = '', ...rest] = pattern.split('*')
  const last = rest.pop()
  if (last === undefined) return pattern === name
  if (!name.startsWith(first) || name.length < first.length + last.length || !name.endsWith(last)) return false
  let from = first.length
  for (const text of rest) {
    const found = name.indexOf(text, from)
    if (found < 0) return false
    from = found + text.length
  }
  return from <= name.length - last.length
}
