/** What becomes of every part of the four client APIs, found by the rules of the gate and by translation. */
import type { ClientFormatName } from '../../src/formats/canonical/chat.ts'
import { chatFormats, formats } from '../../src/formats/index.ts'
import { isObject } from '../../src/formats/json/checks.ts'
import { chargedBetas, providerOf, type TariffField } from '../../src/providers/index.ts'
import type { Json } from '../../src/pure/json.ts'
import type { Endpoint } from '../../src/relay/endpoint.ts'
import type { ChosenField } from '../../src/relay/request/chosen-field.ts'
import { chosenFields } from '../../src/relay/request/chosen-fields.ts'
import { offeredTools } from '../../src/relay/request/offered-tools.ts'
import { across, leastRequests } from './across.ts'
import { anthropic } from './surfaces/anthropic.ts'
import { gemini } from './surfaces/gemini.ts'
import { openAiChat } from './surfaces/openai-chat.ts'
import { openAiResponses } from './surfaces/openai-responses.ts'
import type { Surface } from './surfaces/surface.ts'

export const surfaces: Record<ClientFormatName, Surface> = {
  'openai-chat': openAiChat,
  'openai-responses': openAiResponses,
  anthropic,
  gemini,
}

/** The maker's own type of channel. */
const makers: Record<ClientFormatName, number> = {
  'openai-chat': 1,
  'openai-responses': 1,
  anthropic: 14,
  gemini: 24,
}

export const kinds = ['field', 'beta', 'tool', 'block', 'event'] as const
export type Kind = (typeof kinds)[number]

export function namesOf(format: ClientFormatName, kind: Kind): readonly string[] {
  const surface = surfaces[format]
  if (kind === 'beta') return surface.beta ?? []
  return kind === 'field' || kind === 'tool' ? Object.keys(surface[kind]) : Object.values(surface[kind]).flat()
}

/** @param sdk names by `<format>_<kind>`, as an SDK's types have them. @returns those that no surface lists */
export function unlisted(sdk: Record<string, readonly string[]>): string[] {
  return formats.flatMap(format =>
    kinds.flatMap(kind => {
      const listed = new Set(namesOf(format, kind))
      const names = sdk[`${format.replace('-', '_')}_${kind}`] ?? []
      return names.filter(name => !listed.has(name)).map(name => `${format} ${kind} ${name}`)
    }),
  )
}

/** What a channel of the maker does with it: `passed`, `refused`, or how it is priced. */
export function nativeOutcome(format: ClientFormatName, kind: Kind, name: string): string {
  if (kind === 'block' || kind === 'event') return 'passed'
  if (isOwn(format, kind, name)) return own
  if (kind === 'beta') return Object.keys(chargedBetas).some(beta => name.startsWith(beta)) ? byLength : 'passed'
  const body = { ...leastRequests[format], ...partOf(format, kind, name) }
  if ('code' in chatFormats[format].readFacts(body)) return 'refused'
  const [chosen] = chosenIn(body, format)
  return chosen ? outcomeOf(chosen, format) : 'passed'
}

const own = 'done by the gateway'
const isOwn = (format: ClientFormatName, kind: Kind, name: string) =>
  kind === 'field' && surfaces[format].own?.includes(name) === true

const byLength = 'priced: by `TierRatio`; refused for models of a dearer family that have no tier'

function outcomeOf(chosen: ChosenField, format: ClientFormatName): string {
  const own = chosen.kind === 'field' ? providerOf(makers[format])!.tariff_fields[chosen.name] : chosen.rule
  return `${ruleText(own ?? {})}${chosen.name}\``
}

/** Ends where the name of the setting follows. */
export function ruleText({ tariff, tool, one_call, models }: TariffField): string {
  const allowed = 'unless `allowed_fields` lists `'
  if (tariff) return `priced: by \`TariffRatio\` of its value; without one refused ${allowed}`
  if (models) return `priced: by the models that it lists; of others refused ${allowed}`
  if (tool)
    return `priced: by \`${tool}\` of \`ToolPrice\`${one_call ? ', one for each call' : ''}; without it refused ${allowed}`
  return `refused ${allowed}`
}

const chosenIn = (body: Json, format: ClientFormatName): ChosenField[] => {
  const operation = format === 'openai-responses' ? 'responses' : 'chat'
  const endpoint: Endpoint = { operation, format: chatFormats[format] }
  return chosenFields({ body, client_headers: {}, endpoint }, offeredTools(body, format))
}

export function acrossOutcome(format: ClientFormatName, kind: Kind, name: string): string {
  const surface = surfaces[format]
  if (kind === 'beta') return 'dropped'
  // The channel names it.
  if (name === 'model') return 'translated'
  if (isOwn(format, kind, name)) return own
  if (kind === 'field' || kind === 'tool')
    return across(format, partOf(format, kind, name), (kind === 'field' && surface.beside?.[name]) || {})
  return Object.entries(surface[kind]).find(([, names]) => (names as readonly string[]).includes(name))![0]
}

/** The fields of a request that uses it. */
export function partOf(format: ClientFormatName, kind: 'field' | 'tool', name: string): Json {
  const surface = surfaces[format]
  if (kind === 'tool') return { tools: [surface.tool[name]] }
  const [outer, inner] = name.split('.') as [string, string?]
  const field = inner ? { [outer]: { [inner]: surface.field[name] } } : { [outer]: surface.field[name] }
  return merged(surface.beside?.[name] ?? {}, field)
}

const merged = (a: Json, b: Json): Json => ({
  ...a,
  ...Object.fromEntries(
    Object.entries(b).map(([name, value]) => [
      name,
      isObject(a[name]) && isObject(value) ? { ...a[name], ...value } : value,
    ]),
  ),
})
