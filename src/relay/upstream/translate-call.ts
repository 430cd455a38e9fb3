/** Translates a call into the format of the chosen API. */

import { isChatClient, isChatUpstream } from '../../formats/format.ts'
import { remoteUrls, withFetchedMedia } from '../../formats/media/media-urls.ts'
import { convertingFormat, translatingFormat, Untranslatable } from '../../formats/translate/translating-format.ts'
import { now } from '../../process/clock.ts'
import type { UpstreamApi } from '../../providers/index.ts'
import type { Json } from '../../pure/json.ts'
import type { Call } from '../call.ts'
import { canonicalRequest } from '../request/canonical-request.ts'
import { fetchMedia, withFetchedImages } from './fetch-media.ts'

interface TranslatedCall {
  /** Holds the state of one attempt where the formats differ. */
  api: UpstreamApi
  body: Json
}

/** @throws Untranslatable when the format cannot carry the request, Refusal when its media cannot be fetched */
export async function translateCall(call: Call, api: UpstreamApi, stream: boolean): Promise<TranslatedCall> {
  const body = stream === call.facts.stream ? call.body : { ...call.body, stream }
  const { format: client } = call.endpoint
  const { conversion } = client
  if (conversion)
    return {
      api: { ...api, format: convertingFormat(conversion, api.format) },
      body: conversion.convertRequest(body, api.format.owner),
    }
  const upstream = api.format
  if (client.name === upstream.name || !isChatClient(client) || !isChatUpstream(upstream))
    return { api, body: api.fetches_no_urls ? await withFetchedImages(body) : body }
  const read = canonicalRequest(call)!
  if (!('messages' in read)) throw new Untranslatable(read)
  const request = stream === call.facts.stream ? read : { ...read, stream }
  const urls = remoteUrls(request, upstream, api.fetches_no_urls)
  const complete = urls.length ? withFetchedMedia(request, await fetchMedia(urls)) : request
  const label = { id: call.request_id, created: now(), prompt: call.prompt_tokens, request: complete }
  return { api: { ...api, format: translatingFormat({ client, upstream, label }) }, body }
}
