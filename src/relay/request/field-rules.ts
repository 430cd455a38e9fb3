/** How a candidate covers what a request chooses: the provider's rule, or the operator's permission. */
import { type Candidate, upstreamModel } from '../../domain/routing/index.ts'
import type { HostedOffer, Tool } from '../../formats/canonical/chat.ts'
import { isChatClient } from '../../formats/format.ts'
import { hostedTools, providerOf, reachesMaker, type TariffField } from '../../providers/index.ts'
import type { PlannedCall, ReadCall } from '../call.ts'
import type { ChosenField } from './chosen-field.ts'

const refused: TariffField = {}

type TranslatedCall = Pick<ReadCall, 'endpoint' | 'facts' | 'canonical'>

export const isAllowed = (name: string, { channel }: Pick<Candidate, 'channel'>): boolean =>
  channel.setting.allowed_fields?.includes(name) === true

/** @returns undefined for a field that the upstream does not get */
export function ruleFor(field: ChosenField, candidate: Candidate, call: TranslatedCall): TariffField | undefined {
  const { channel, api } = candidate
  const { endpoint } = call
  const { format: client } = endpoint
  const { format: upstream } = api
  const rules = providerOf(channel.type)!.tariff_fields
  if (client.name === upstream.name || !isChatClient(client)) {
    if (isForeign(field, candidate, client.name)) return undefined
    if (field.kind === 'field') return rules[field.name]
    return field.kind === 'tool' ? field.rule : refused
  }
  if (isSearch(field)) return searchRule(candidate, call)
  const isShared = field.param === 'service_tier' && openAi.has(client.name) && openAi.has(upstream.name)
  return isShared ? rules.service_tier : undefined
}

/** Tools of the price table by which the formats report web searches. */
const searches: Record<string, TariffField> = {
  anthropic: { tool: 'web_search' },
  'openai-responses': { tool: 'web_search' },
  gemini: { tool: 'google_search' },
}

/** @returns undefined where translation leaves the search out, as where the upstream has none, or none with a price */
function searchRule(candidate: Candidate, call: TranslatedCall): TariffField | undefined {
  const { channel, api } = candidate
  const isRequested = toolsOf(call).some(tool => tool.kind === 'hosted' && tool.offer === 'web_search')
  if (!isRequested || !hostedOf(candidate, call).includes('web_search')) return undefined
  const rule = searches[api.format.name] ?? providerOf(channel.type)!.tariff_fields.web_search_options
  return rule?.tool ? rule : undefined
}

/** The tools that a candidate runs itself for a request of another format, less those without a price. */
export function hostedFor(
  candidate: Candidate,
  call: TranslatedCall & Pick<PlannedCall, 'chosen_fields'>,
): readonly HostedOffer[] {
  const hosted = hostedOf(candidate, call)
  const isSold =
    searchRule(candidate, call) ??
    call.chosen_fields?.some(field => isSearch(field) && isAllowed(field.name, candidate))
  return isSold ? hosted : hosted.filter(offer => offer !== 'web_search')
}

const hostedOf = ({ channel, api }: Candidate, call: TranslatedCall) =>
  hostedTools(api, upstreamModel(channel, call.facts.model), toolsOf(call))

/** Tools of the request that is translated; none of one that cannot be. */
function toolsOf(call: TranslatedCall): readonly Tool[] {
  const request = call.canonical.read()
  return request && 'messages' in request ? request.tools : []
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
