/** In which format a channel is asked: in the caller's own where it speaks that, else in its own, translated. */

import { type RoutedChannel, upstreamModel } from '../../domain/channels/index.ts'
import { isChatClient, isChatUpstream } from '../../formats/format.ts'
import { remoteUrls, withFetchedMedia } from '../../formats/media/media-urls.ts'
import { requestOf } from '../../formats/translate/passthrough.ts'
import { convertingFormat, translatingFormat, Untranslatable } from '../../formats/translate/translating-format.ts'
import { now } from '../../process/clock.ts'
import { pickApi, providerOf, type UpstreamApi } from '../../providers/index.ts'
import type { Json } from '../../pure/json.ts'
import type { Call, Endpoint } from '../call.ts'
import { fetchMedia, withFetchedImages } from './fetch-media.ts'

type Asked = Pick<Call, 'endpoint' | 'facts'>

/** Addresses at which a provider's mirror turned out not to be: a stand-in need not have all that its original has. */
const noAnthropicApi = new Set<string>()
const placeOf = ({ type, base_url }: RoutedChannel) => `${type} ${base_url}`

export function apiFor(channel: RoutedChannel, call: Asked): UpstreamApi | undefined {
  return spokenIn(
    noAnthropicApi.size && noAnthropicApi.has(placeOf(channel)) ? undefined : call.endpoint.format,
    channel,
    call,
  )
}

/** The same without a mirror; undefined where there was none in it. */
export function apiWithoutAnthropic(
  channel: RoutedChannel,
  call: Asked,
  offered: UpstreamApi,
): UpstreamApi | undefined {
  return offered === providerOf(channel.type)?.anthropic_api ? spokenIn(undefined, channel, call) : undefined
}

export const noteNoAnthropicApi = (channel: RoutedChannel) => void noAnthropicApi.add(placeOf(channel))

function spokenIn(
  codec: Endpoint['format'] | undefined,
  channel: RoutedChannel,
  { endpoint, facts }: Asked,
): UpstreamApi | undefined {
  const provider = providerOf(channel.type)
  return provider && pickApi(provider, endpoint.operation, upstreamModel(channel, facts.model), codec)
}

interface Spelled {
  spoken: UpstreamApi
  body: Json
}

/**
 * What is said to a channel, and how: the state of one attempt is in it.
 * @throws Unsayable when it cannot be said there, Refusal when what belongs to it cannot be had
 */
export async function translateCall(call: Call, spoken: UpstreamApi, stream: boolean): Promise<Spelled> {
  const body = stream === call.facts.stream ? call.body : { ...call.body, stream }
  const { conversion } = call.endpoint.format
  if (conversion)
    return {
      spoken: { ...spoken, format: convertingFormat(conversion, spoken.format) },
      body: conversion.convertRequest(body, spoken.format.owner),
    }
  const [client, upstream] = [call.endpoint.format, spoken.format]
  if (client.name === upstream.name || !isChatClient(client) || !isChatUpstream(upstream)) {
    return { spoken, body: spoken.fetches_no_urls ? await withFetchedImages(body) : body }
  }
  const request = requestOf(client, body)
  if (!('messages' in request)) throw new Untranslatable(request)
  const urls = remoteUrls(request, upstream, spoken.fetches_no_urls)
  const complete = urls.length ? withFetchedMedia(request, await fetchMedia(urls)) : request
  const label = { id: call.request_id, created: now(), prompt: call.prompt_tokens, request: complete }
  return { spoken: { ...spoken, format: translatingFormat({ client, upstream, label }) }, body }
}
