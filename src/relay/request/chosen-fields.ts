/** Finds what a request chooses beside its model: other models, routes, tariffs, and tools that are charged apart. */
import { isAbsent, isObject } from '../../formats/json/checks.ts'
import { objectsOf } from '../../formats/json/lenient-json.ts'
import { chargedBetas, chargedTools, type TariffField, type TariffFields, tariffFields } from '../../providers/index.ts'
import type { Json } from '../../pure/json.ts'
import type { Call } from '../call.ts'

export interface ChosenField {
  kind: 'field' | 'tool' | 'beta'
  /** As the channel setting `allowed_fields` names it: `service_tier`, `tools.web_search`, `context-1m`. */
  name: string
  /** Where it stands in the request. */
  param: string
  value?: unknown
  /** Of a tool, in the client's own format. */
  rule?: TariffField
}

const BETA_HEADER = 'anthropic-beta'
/** Body fields in which some gateways take beta features. */
const betaLists = ['betas', 'anthropic_beta']
const names = Object.keys(tariffFields)
/** In other operations they mean something else, such as the speed of a voice. */
const ofChats = new Set(['speed', 'inference_geo', 'web_search'])
const refused: TariffField = {}

/** Empty for nearly every request. */
export function chosenFields({ body, client_headers, endpoint }: Call): ChosenField[] {
  const { operation, format } = endpoint
  const chosen = fieldsIn(body, operation)
  if (isObject(body.extra_body)) chosen.push(...fieldsIn(body.extra_body, operation, 'extra_body.'))
  if (body.tools) chosen.push(...objectsOf([body.tools].flat()).flatMap((tool, at) => toolsIn(tool, at, format.name)))
  if (BETA_HEADER in client_headers) chosen.push(...betasIn(client_headers[BETA_HEADER], BETA_HEADER))
  for (const list of betaLists) if (list in body) chosen.push(...betasIn(body[list], list))
  return chosen
}

/** @param object a request, or an object in one that may hold the same fields */
export function fieldsIn(object: Json, operation: string, at = ''): ChosenField[] {
  const chosen: ChosenField[] = []
  for (const name of names) {
    const value = object[name]
    if (value === undefined || !chooses(name, value)) continue
    if (ofChats.has(name) && operation !== 'chat' && operation !== 'responses') continue
    chosen.push({ kind: 'field', name, param: at + name, value })
  }
  return chosen
}

function chooses(name: string, value: unknown): boolean {
  if (isAbsent(value) || value === false || value === 'false' || value === '') return false
  if (Array.isArray(value)) return value.length > 0
  if (!isObject(value)) return !tariffFields[name]!.plain?.includes(value)
  if (name === 'web_search_options') return true
  if (name === 'search_parameters') return value.mode !== 'off'
  return value.enable !== false && Object.keys(value).length > 0
}

function toolsIn(tool: Json, at: number, format: string): ChosenField[] {
  const param = `tools[${at}]`
  const { type } = tool
  switch (format) {
    case 'gemini':
      return Object.keys(tool).flatMap(name => {
        const rule = chargedTools.gemini![name.replaceAll('_', '').toLowerCase()]
        return rule ? [{ kind: 'tool', name: `tools.${name}`, param: `${param}.${name}`, rule } as const] : []
      })
    case 'openai-chat':
      if (typeof type !== 'string' || type === 'function' || type === 'custom') return []
      return [{ kind: 'tool', name: `tools.${type}`, param, rule: refused }]
    case 'openai-responses':
    case 'anthropic': {
      const rules: TariffFields = chargedTools[format]!
      // Types end in dates or `_preview`.
      const name = typeof type === 'string' && Object.keys(rules).find(name => type.startsWith(name))
      return name ? [{ kind: 'tool', name: `tools.${name}`, param, rule: rules[name] }] : []
    }
    default:
      return []
  }
}

const betasIn = (list: unknown, param: string): ChosenField[] =>
  chargedBetas.filter(name => String(list).includes(name)).map(name => ({ kind: 'beta', name, param }))
