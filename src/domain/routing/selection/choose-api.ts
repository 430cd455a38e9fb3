/** Chooses the API that a channel is asked with: in the client's own format where it has that, else translated. */
import type { ClientFormat } from '../../../formats/format.ts'
import { store } from '../../../process/stores.ts'
import { type ApiChoice, type Operation, pickApi, providerOf, type UpstreamApi } from '../../../providers/index.ts'
import type { Json } from '../../../pure/json.ts'
import { type RoutedChannel, upstreamModel } from '../routed-channel.ts'
import { configOf } from '../sending/request.ts'
import type { Candidate } from '../target.ts'

/** What a call asks for; without a format, any that the operation has. */
export interface ApiQuery {
  endpoint: { operation: Operation; format?: ClientFormat; below?: string }
  facts: { model: string }
  body?: Json
}

/** Base URLs without the API that a client's own format, or a search, would choose: it answered 404, 405 or 410. Per process, never expires. */
const missing = store('missing-apis', new Set<string>())
const baseOf = ({ type, base_url }: RoutedChannel, { format }: UpstreamApi) => `${type} ${base_url} ${format.name}`

/**
 * @param key the first that has an API unless given: it may decide between the variants of a provider
 * @returns undefined when the channel's provider has no API for the operation
 */
export function apiFor(channel: RoutedChannel, call: ApiQuery, key?: string): UpstreamApi | undefined {
  const [first, ...others] = key === undefined ? channel.good_keys : [key]
  const api = pickExisting(channel, call, first)
  if (api || !others.length || !providerOf(channel.type)?.variant) return api
  for (const other of others) {
    const found = pickExisting(channel, call, other)
    if (found) return found
  }
}

/** Another key of a channel may be served by another variant of its provider, or by none. */
export function apiByKey({ channel, api }: Candidate, key: string, call: ApiQuery): UpstreamApi | undefined {
  if (channel.good_keys.length < 2 || !providerOf(channel.type)?.variant) return api
  return apiFor(channel, call, key)
}

function pickExisting(channel: RoutedChannel, call: ApiQuery, key: string | undefined): UpstreamApi | undefined {
  const api = pick(call.endpoint.format, channel, call, key)
  const isMissing = api && missing.size && missing.has(baseOf(channel, api))
  return isMissing ? (usualApi(channel, call, api, key) ?? api) : api
}

/**
 * The API that serves a chat where the provider has no other, in place of its Anthropic or Responses API.
 * @returns undefined when `api` is that API
 */
export function usualApi(
  channel: RoutedChannel,
  call: ApiQuery,
  api: UpstreamApi,
  key?: string,
): UpstreamApi | undefined {
  const { anthropic_api, apis } = api.provider!
  if (call.endpoint.operation !== 'chat' || (api !== anthropic_api && api !== apis.responses)) return undefined
  const usual = pick(undefined, channel, call, key)
  return usual?.format.name === api.format.name ? undefined : usual
}

export const noteMissing = (channel: RoutedChannel, api: UpstreamApi) => void missing.add(baseOf(channel, api))

/** What a provider chooses one of its APIs by. */
class CallChoice implements ApiChoice {
  readonly operation: Operation
  readonly model: string
  readonly body: Json | undefined

  constructor(
    private readonly channel: RoutedChannel,
    { endpoint, facts, body }: ApiQuery,
    readonly client: ClientFormat | undefined,
    private readonly key: string,
  ) {
    this.operation = endpoint.operation
    this.model = upstreamModel(channel, facts.model)
    this.body = body
  }

  /** Read by providers with variants alone. */
  get config() {
    return configOf(this.channel, this.key)
  }
}

function pick(
  client: ClientFormat | undefined,
  channel: RoutedChannel,
  call: ApiQuery,
  key = '',
): UpstreamApi | undefined {
  const provider = providerOf(channel.type)
  if (!provider) return undefined
  const { endpoint } = call
  const api = pickApi(provider, new CallChoice(channel, call, client, key))
  return endpoint.below === undefined ? api : api && pathBelow(api, endpoint.below, client)
}

/** @returns undefined where the upstream has another format: paths below belong to the client's own */
function pathBelow(api: UpstreamApi, path: string, client: ClientFormat | undefined): UpstreamApi | undefined {
  if (api.format.name !== client?.name) return undefined
  return {
    ...api,
    // Fields of the path above are unknown here.
    format: { ...api.format, limitOutput: undefined, applyModelSettings: undefined },
    url(...given) {
      const url = new URL(api.url(...given))
      url.pathname += path
      return url.href
    },
  }
}
