/** One request to an upstream: with its token, over HTTP or a WebSocket, by the channel's route. */
import type { OutgoingRoute } from '../../../net/tunnel.ts'
import { upstreamFetch } from '../../../net/upstream-fetch.ts'
import { fetchBySocket } from '../../../net/upstream-socket.ts'
import { now_ms } from '../../../process/clock.ts'
import type { UpstreamApi, UpstreamConfig, UpstreamRequest } from '../../../providers/index.ts'
import { parseObject } from '../../../pure/json.ts'
import { option } from '../../options/index.ts'
import type { RoutedChannel } from '../routing/routing-table.ts'

export const routeOfChannel = ({ setting, guarded }: RoutedChannel): OutgoingRoute => ({
  proxy: setting.proxy,
  guarded,
})

/** What a provider reads of a channel. */
export const configOf = (
  { base_url, openai_organization, other, setting }: RoutedChannel,
  key: string,
): UpstreamConfig => ({
  base_url,
  key,
  openai_organization,
  other,
  setting: setting as Record<string, unknown>,
  site: option('ServerAddress'),
  at_ms: now_ms(),
})

/** @throws as `upstreamFetch` */
export function sendRequest(
  { socket }: UpstreamApi,
  { url, headers, body }: UpstreamRequest,
  route: OutgoingRoute,
  abort: AbortController,
  head_ms: number,
): Promise<Response> {
  if (!socket) return upstreamFetch({ url, headers, body, ...route }, abort, head_ms)
  return fetchBySocket({ url, headers, body: String(body), ...route }, abort, text => {
    const message = parseObject(text)
    return message !== undefined && socket.isLast(message)
  })
}
