/** How a candidate covers what a request chooses: the provider's rule, or the operator's permission. */
import { isChatClient } from '../../formats/format.ts'
import { providerOf, reachesMaker, type TariffField } from '../../providers/index.ts'
import type { Call, Candidate } from '../call.ts'
import type { ChosenField } from './chosen-fields.ts'

const refused: TariffField = {}

/** Tools of the price table by which the formats report web searches. */
const searches: Record<string, TariffField> = {
  anthropic: { tool: 'web_search' },
  'openai-responses': { tool: 'web_search' },
  gemini: { tool: 'google_search' },
}

export const isAllowed = (name: string, { channel }: Pick<Candidate, 'channel'>): boolean =>
  channel.setting.allowed_fields?.includes(name) === true

/** @returns undefined for a field that the upstream does not get */
export function ruleFor(
  field: ChosenField,
  { channel, api }: Candidate,
  { endpoint }: Pick<Call, 'endpoint'>,
): TariffField | undefined {
  const { format: client } = endpoint
  const { format: upstream } = api
  const rules = providerOf(channel.type)!.tariff_fields
  if (client.name === upstream.name || !isChatClient(client)) {
    if (isForeign(field, { channel }, client.name)) return undefined
    if (field.kind === 'field') return rules[field.name]
    return field.kind === 'tool' ? field.rule : refused
  }
  if (isSearch(field)) return searches[upstream.name] ?? rules.web_search_options
  const isShared = field.param === 'service_tier' && openAi.has(client.name) && openAi.has(upstream.name)
  return isShared ? rules.service_tier : undefined
}

type Foreign = Pick<ChosenField, 'kind' | 'name'>

/**
 * Whether only other gateways know the field: the maker's own API, which would refuse it as unknown, is not sent it.
 * @param format of the client, which is the upstream's own
 */
export function isForeign({ kind, name }: Foreign, { channel }: Pick<Candidate, 'channel'>, format: string): boolean {
  const provider = providerOf(channel.type)!
  if (!reachesMaker(provider, channel.base_url)) return false
  if (kind === 'field') return !provider.own_api!.fields.includes(name)
  return kind === 'tool' && format === 'openai-chat'
}

const openAi = new Set(['openai-chat', 'openai-responses'])

/** Whether translation makes it the web search of another format. */
const isSearch = ({ name, param, rule }: ChosenField): boolean =>
  param === 'web_search_options' || rule?.tool === 'google_search' || name === 'tools.web_search'
