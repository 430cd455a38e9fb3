/** One request to an upstream: with its token, over HTTP or a WebSocket, by the channel's route. */
import type { OutgoingRoute } from '../../../net/tunnel.ts'
import { upstreamFetch } from '../../../net/upstream-fetch.ts'
import { fetchBySocket } from '../../../net/upstream-socket.ts'
import { now_ms } from '../../../process/clock.ts'
import type { UpstreamApi, UpstreamConfig, UpstreamRequest } from '../../../providers/index.ts'
import { parseObject } from '../../../pure/json.ts'
import { option } from '../../options/index.ts'
import type { RoutedChannel } from '../routed-channel.ts'

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

interface SendOptions {
  abort: AbortController
  /** Milliseconds until the response head. */
  head_ms: number
  /** Runs before the upstream has anything of the request; over a socket, once it is open. */
  onSend?(): void
}

/** @throws as `upstreamFetch` */
export function sendRequest(
  { socket }: UpstreamApi,
  { url, headers, body }: UpstreamRequest,
  route: OutgoingRoute,
  { abort, head_ms, onSend }: SendOptions,
): Promise<Response> {
  if (socket) {
    const isLast = (text: string) => {
      const message = parseObject(text)
      return message !== undefined && socket.isLast(message)
    }
    return fetchBySocket({ url, headers, body: String(body), ...route }, abort, { isLast, onSend })
  }
  onSend?.()
  return upstreamFetch({ url, headers, body, ...route }, abort, head_ms)
}
