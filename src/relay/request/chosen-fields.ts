/** Finds what a request chooses beside its model: other models, routes, tariffs, and tools that are charged apart. */
import { isAbsent, isObject } from '../../formats/json/checks.ts'
import { objectOf } from '../../formats/json/lenient-json.ts'
import {
  chargedBetas,
  chargedTools,
  containerTool,
  type TariffField,
  type TariffFields,
  tariffFields,
} from '../../providers/index.ts'
import type { Json } from '../../pure/json.ts'
import type { ReadCall } from '../call.ts'
import type { Endpoint } from '../endpoint.ts'
import type { ChosenField } from './chosen-field.ts'
import { modelList } from './model-list.ts'
import { isHostedShell, type OfferedTool } from './offered-tools.ts'

const BETA_HEADER = 'anthropic-beta'
/** Objects in requests of Gemini that hold more fields. */
const configs = ['generationConfig', 'generation_config']
/** Body fields in which some gateways take beta features. */
const betaLists = ['betas', 'anthropic_beta']
const names = Object.keys(tariffFields)
const betas = Object.keys(chargedBetas)
/** In other operations they mean something else, such as the speed of a voice. */
const ofChats = new Set(['speed', 'inference_geo', 'web_search'])
const refused: TariffField = {}
const SMALLEST_CONTAINER = '1g'

/** Empty for nearly every request. */
export function chosenFields(
  { body, client_headers, endpoint }: Pick<ReadCall, 'body' | 'client_headers' | 'endpoint'>,
  tools: readonly OfferedTool[],
): ChosenField[] {
  const { format } = endpoint
  const chosen = fieldsIn(body, endpoint)
  if (isObject(body.extra_body)) chosen.push(...fieldsIn(body.extra_body, endpoint, 'extra_body.'))
  if (format.name === 'gemini')
    for (const name of configs) chosen.push(...fieldsIn(objectOf(body[name]), endpoint, `${name}.`))
  chosen.push(...tools.flatMap(offered => toolsIn(offered, format.name)))
  if (BETA_HEADER in client_headers) chosen.push(...betasIn(client_headers[BETA_HEADER], BETA_HEADER))
  for (const list of betaLists) if (list in body) chosen.push(...betasIn(body[list], list))
  return chosen
}

/** @param object a request, or an object in one that may hold the same fields */
export function fieldsIn(object: Json, { operation, format }: Endpoint, at = ''): ChosenField[] {
  const chosen: ChosenField[] = []
  for (const name of names) {
    const value = object[name]
    if (value === undefined || !chooses(name, value, object) || !means(name, operation)) continue
    chosen.push(...fieldsOf(name, value, at + name, format.name))
  }
  return chosen
}

/** Names of the fields that could choose something, also where their values choose nothing. */
export const tariffNamesIn = (object: Json, { operation }: Endpoint): string[] =>
  names.filter(name => object[name] !== undefined && means(name, operation))

const means = (name: string, operation: string) =>
  !ofChats.has(name) || operation === 'chat' || operation === 'responses'

function fieldsOf(name: string, value: unknown, param: string, format: string): ChosenField[] {
  const rule = tariffFields[name]!
  if (rule.tariff) return [{ kind: 'field', name, param, value: tariffName(value) }]
  if (!rule.models) return [{ kind: 'field', name, param, value }]
  const { models, speeds } = modelList(value, format)
  const nested = speeds
    .filter(({ speed }) => chooses('speed', speed, {}))
    .flatMap(({ speed, at }) => fieldsOf('speed', speed, `${param}[${at}].speed`, format))
  return [{ kind: 'field', name, param, value, models }, ...nested]
}

function chooses(name: string, value: unknown, beside: Json): boolean {
  if (isAbsent(value) || value === false || value === 'false' || value === '') return false
  if (Array.isArray(value)) return value.length > 0
  if (!isObject(value)) {
    // OpenRouter's only route goes through `models`. https://openrouter.ai/docs/api-reference/overview (read 2026-11)
    if (name === 'route' && value === 'fallback') return !Array.isArray(beside.models)
    return !tariffFields[name]!.plain?.includes(tariffName(value))
  }
  if (name === 'web_search_options') return true
  if (name === 'search_parameters') return value.mode !== 'off'
  return value.enable !== false && Object.keys(value).length > 0
}

/** As the price table names it: Google's JSON also takes names of an enumeration, such as `SERVICE_TIER_FLEX`. */
const tariffName = (value: unknown): unknown =>
  typeof value === 'string' ? value.replace(/^SERVICE_TIER_/, '').toLowerCase() : value

function toolsIn({ tool, param }: OfferedTool, format: string): ChosenField[] {
  const { type } = tool
  switch (format) {
    case 'gemini':
      return Object.keys(tool).flatMap(name => {
        const rule = chargedTools.gemini![name.replaceAll('_', '').toLowerCase()]
        return rule
          ? [{ kind: 'tool', name: `tools.${name}`, param: `${param}.${name}`, value: tool, rule } as const]
          : []
      })
    case 'openai-chat':
      if (typeof type !== 'string' || type === 'function' || type === 'custom') return []
      return [{ kind: 'tool', name: `tools.${type}`, param, rule: refused }]
    case 'openai-responses':
    case 'anthropic': {
      const rules: TariffFields = chargedTools[format]!
      // Types end in dates or `_preview`.
      const name = typeof type === 'string' && Object.keys(rules).find(name => type.startsWith(name))
      if (!name || (name === 'shell' && !isHostedShell(tool))) return []
      return [
        { kind: 'tool', name: `tools.${name}`, param, value: tool, rule: rules[name] },
        ...containersIn(tool, param),
      ]
    }
    default:
      return []
  }
}

/** Containers of other sizes than the smallest. */
const containersIn = (tool: Json, at: string): ChosenField[] =>
  ['container', 'environment'].flatMap(place => {
    const { memory_limit } = objectOf(tool[place])
    if (isAbsent(memory_limit) || memory_limit === SMALLEST_CONTAINER) return []
    const param = `${at}.${place}.memory_limit`
    return [{ kind: 'tool', name: 'tools.memory_limit', param, rule: containerTool(String(memory_limit)) } as const]
  })

const betasIn = (list: unknown, param: string): ChosenField[] =>
  betas
    .filter(name => String(list).includes(name))
    .map(name => ({ kind: 'beta', name, param: param === BETA_HEADER ? `${param} ${name}` : param }))
