/** Chooses the API that a channel is asked with: in the client's own format where it has that, else translated. */
import type { ClientFormat } from '../../../formats/format.ts'
import { type Operation, pickApi, providerOf, type UpstreamApi } from '../../../providers/index.ts'
import { type RoutedChannel, upstreamModel } from '../routing/routing-table.ts'

/** What a call asks for; without a format, any that the operation has. */
export interface ApiQuery {
  endpoint: { operation: Operation; format?: ClientFormat }
  facts: { model: string }
}

/** Base URLs whose Anthropic API answered 404, 405 or 410. Per process, never expires. */
const noAnthropicApi = new Set<string>()
const baseOf = ({ type, base_url }: RoutedChannel) => `${type} ${base_url}`

/** @returns undefined when the channel's provider has no API for the operation */
export function apiFor(channel: RoutedChannel, call: ApiQuery): UpstreamApi | undefined {
  const isMissing = noAnthropicApi.size && noAnthropicApi.has(baseOf(channel))
  return pick(isMissing ? undefined : call.endpoint.format, channel, call)
}

/** The provider's own API in place of its Anthropic API. @returns undefined when `api` is no Anthropic API */
export function apiWithoutAnthropic(channel: RoutedChannel, call: ApiQuery, api: UpstreamApi): UpstreamApi | undefined {
  return api === providerOf(channel.type)?.anthropic_api ? pick(undefined, channel, call) : undefined
}

export const noteNoAnthropicApi = (channel: RoutedChannel) => void noAnthropicApi.add(baseOf(channel))

function pick(
  format: ClientFormat | undefined,
  channel: RoutedChannel,
  { endpoint, facts }: ApiQuery,
): UpstreamApi | undefined {
  const provider = providerOf(channel.type)
  return provider && pickApi(provider, endpoint.operation, upstreamModel(channel, facts.model), format)
}
