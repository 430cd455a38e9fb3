/** Translates a call into the format of the chosen API. */

import type { Candidate } from '../../domain/routing/index.ts'
import type { ChatRequest } from '../../formats/canonical/chat.ts'
import {
  type ChatClientFormat,
  type ChatUpstreamFormat,
  isChatClient,
  isChatUpstream,
  type UpstreamFormat,
} from '../../formats/format.ts'
import { remoteUrls, withFetchedMedia } from '../../formats/media/media-urls.ts'
import { convertingFormat, translatingFormat, Untranslatable } from '../../formats/translate/translating-format.ts'
import { now } from '../../process/clock.ts'
import type { UpstreamApi } from '../../providers/index.ts'
import type { Json } from '../../pure/json.ts'
import type { Call } from '../call.ts'
import { canonicalRequest } from '../request/canonical-request.ts'
import { hostedFor } from '../request/field-rules.ts'
import { fetchMedia, withFetchedImages } from './fetch-media.ts'

interface TranslatedCall {
  /** Holds the state of one attempt where the formats differ. */
  api: UpstreamApi
  body: Json
}

/** @throws Untranslatable when the format cannot carry the request, Refusal when its media cannot be fetched */
export async function translateCall(call: Call, candidate: Candidate, stream: boolean): Promise<TranslatedCall> {
  const { api, channel } = candidate
  const body = stream === call.facts.stream ? call.body : { ...call.body, stream }
  const { format: client } = call.endpoint
  const { conversion } = client
  if (conversion)
    return {
      api: { ...api, format: convertingFormat(conversion, api.format) },
      body: conversion.convertRequest(body, api.format.owner),
    }
  const upstream = api.format
  const isChat = isChatClient(client) && isChatUpstream(upstream)
  if (client.name === upstream.name || !isChat) {
    const format = isChat && stream && !call.facts.stream ? gathered(call, client, upstream) : upstream
    return { api: { ...api, format }, body: api.fetches_no_urls ? await withFetchedImages(body) : body }
  }
  const read = canonicalRequest(call)!
  if (!('messages' in read)) throw new Untranslatable(read)
  const request = stream === call.facts.stream ? read : { ...read, stream }
  const urls = remoteUrls(request, upstream, api.fetches_no_urls)
  const complete = urls.length ? withFetchedMedia(request, await fetchMedia(urls)) : request
  const hosted = hostedFor(candidate, call)
  const auto_cache = channel.setting.auto_cache !== false
  const route = { client, upstream, hosted, auto_cache, label: labelOf(call, complete) }
  return { api: { ...api, hosted: () => hosted, format: translatingFormat(route) }, body }
}

const labelOf = (call: Call, request: ChatRequest) => ({
  id: call.request_id,
  created: now(),
  prompt: call.prompt_tokens,
  request,
})

/** The client's own format, whose request passes and whose stream is gathered. */
function gathered(call: Call, client: ChatClientFormat, upstream: ChatUpstreamFormat): UpstreamFormat {
  const request = canonicalRequest(call)!
  if (!('messages' in request)) throw new Untranslatable(request)
  const { forward, applyModelSettings, limitOutput } = upstream
  return {
    ...translatingFormat({ client, upstream, label: labelOf(call, request) }),
    ...{ forward, applyModelSettings, limitOutput },
  }
}
