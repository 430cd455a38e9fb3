/** Asks the upstream that holds a response about it, with the key that made it. Nothing of it is billed. */
import { ChannelStatus } from '../../contracts/channel.ts'
import { HOP_HEADER } from '../../contracts/relay.ts'
import {
  apiFor,
  channelById,
  configOf,
  type RoutedChannel,
  routeOfChannel,
  sendBeside,
  tokenFor,
  upstreamModel,
} from '../../domain/routing/index.ts'
import { isHeldUnder, type StoredRow, storedObject } from '../../domain/stored-objects/index.ts'
import { env } from '../../env.ts'
import { openAiResponses } from '../../formats/openai-responses/index.ts'
import { NetworkError, readErrorBody } from '../../net/upstream-fetch.ts'
import type { SideRequest, UpstreamApi } from '../../providers/index.ts'
import { type Json, parseObject } from '../../pure/json.ts'
import { faultOf, faultOfNetworkError } from '../errors/classify-error.ts'
import { hintInHeaders } from '../errors/retry-hint.ts'

/** The API below the path of responses, at one key of a channel. */
export interface Holder {
  channel: RoutedChannel
  key: string
  api: UpstreamApi
  /** The upstream's name for a model that it serves. */
  model: string
}

export interface HeldResponse {
  row: StoredRow
  channel: RoutedChannel
  key: string
}

/** @returns undefined for a response that this user has not made, or whose channel or key is gone or disabled */
export async function heldResponse(id: string, user_id: number): Promise<HeldResponse | undefined> {
  const row = await storedObject('response', id)
  if (row?.user_id !== user_id) return undefined
  const channel = await channelById(row.channel_id)
  if (channel?.status !== ChannelStatus.enabled) return undefined
  const key = channel.good_keys.find(one => isHeldUnder(row, one))
  return key === undefined ? undefined : { row, channel, key }
}

/** @returns undefined where none of the models is served by an API of responses */
export function holderBelow(
  { channel, key }: Pick<HeldResponse, 'channel' | 'key'>,
  below: string,
  models = channel.models,
): Holder | undefined {
  for (const model of models) {
    const query = { endpoint: { operation: 'responses', format: openAiResponses, below } as const, facts: { model } }
    const api = apiFor(channel, query, key)
    if (api) return { channel, key, api, model: upstreamModel(channel, model) }
  }
}

interface Question extends Pick<SideRequest, 'method' | 'body'> {
  /** Query of the client. */
  search?: string
  /** The gateways that the client's request has passed. */
  hops: string
}

/** @param abort ends the request. @throws Fault with the upstream's own words for an answer that is an error */
export async function askHolder(
  { channel, key, api, model }: Holder,
  { method, body, search = '', hops }: Question,
  abort: AbortController,
): Promise<Response> {
  const config = configOf(channel, key)
  const route = routeOfChannel(channel)
  const provider = api.provider!
  try {
    const token = await tokenFor(provider, config, route)
    const url = withSearch(api.url({ ...config, token }, model, false, {}), search)
    const declared = typeof api.headers === 'function' ? api.headers(model, false) : api.headers
    const sender = { url, provider, config: { ...config, token }, route, abort }
    const headers = { ...declared, [HOP_HEADER]: hops }
    const response = await sendBeside({ url, method, body, headers }, sender, env.UPSTREAM_TIMEOUT * 1000)
    if (!response.ok) throw await rejected(response, channel, abort)
    return response
  } catch (error) {
    throw error instanceof NetworkError ? faultOfNetworkError(error) : error
  }
}

/** Some clients send their key of the gateway in the query too. */
const KEY_PARAM = 'key'

/** The client's query beside that of the channel, which counts where both have a parameter. */
function withSearch(url: string, search: string): string {
  const joined = new URL(url)
  const fixed = new Set([...joined.searchParams.keys(), KEY_PARAM])
  for (const [name, value] of new URLSearchParams(search)) if (!fixed.has(name)) joined.searchParams.append(name, value)
  return joined.href
}

async function rejected(response: Response, channel: RoutedChannel, abort: AbortController): Promise<Error> {
  const text = await readErrorBody(response, abort)
  const body: Json = parseObject(text) ?? { message: text }
  const { status, headers } = response
  return faultOf(
    { status, error: openAiResponses.readError(body, status), retry_after_ms: hintInHeaders(headers) },
    channel,
  )
}
