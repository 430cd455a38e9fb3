/** Translates a call into the format of the chosen API. */

import type { Candidate } from '../../domain/routing/index.ts'
import type { ChatRequest } from '../../formats/canonical/chat.ts'
import { type FormatConversion, isChatClient, isChatUpstream } from '../../formats/format.ts'
import { remoteUrls, withFetchedMedia } from '../../formats/media/media-urls.ts'
import type { FormatPair } from '../../formats/translate/format-pair.ts'
import { convertingFormat, translatingFormat, Untranslatable } from '../../formats/translate/translating-format.ts'
import { now } from '../../process/clock.ts'
import { type PassedApi, passedApi } from '../../providers/index.ts'
import { type Awaitable, chain } from '../../pure/awaitable.ts'
import type { Json } from '../../pure/json.ts'
import type { Call } from '../call.ts'
import { hostedFor } from '../request/field-rules.ts'
import { fetchMedia, withFetchedImages } from './fetch-media.ts'
import { bodyForHolder } from './holders.ts'

interface TranslatedCall {
  /** Holds the state of one attempt where the formats differ. */
  api: PassedApi
  body: Json
}

/** @throws Untranslatable when the format cannot carry the request, Refusal when its media cannot be fetched */
export function translateCall(call: Call, candidate: Candidate, stream: boolean): Awaitable<TranslatedCall> {
  const { api } = candidate
  const asked = bodyForHolder(call)
  const body = stream === call.facts.stream ? asked : { ...asked, stream }
  const { format: client } = call.endpoint
  const { format: upstream } = api
  if (client.conversion) return converted(client.conversion, passedApi(api), body)
  if (client.name !== upstream.name && isChatClient(client) && isChatUpstream(upstream))
    return chain(translatingApi(call, candidate, { client, upstream }, stream), api => ({ api, body }))
  const passed = passedApi(api)
  const used = stream && !call.facts.stream ? gathering(call, passed) : passed
  return chain(api.fetches_no_urls ? withFetchedImages(body) : body, body => ({ api: used, body }))
}

const converted = (conversion: FormatConversion, api: PassedApi, body: Json): TranslatedCall => ({
  api: { ...api, format: convertingFormat(conversion, api.format) },
  body: conversion.convertRequest(body, api.format.owner),
})

function translatingApi(
  call: Call,
  candidate: Candidate,
  formats: Pick<FormatPair, 'client' | 'upstream'>,
  stream: boolean,
): Awaitable<PassedApi> {
  const { api, channel } = candidate
  const read = call.canonical.read()!
  if (!('messages' in read)) throw new Untranslatable(read)
  const request = stream === call.facts.stream ? read : { ...read, stream }
  const urls = remoteUrls(request, formats.upstream, api.fetches_no_urls)
  const fetched = urls.length ? fetchMedia(urls).then(media => withFetchedMedia(request, media)) : request
  return chain(fetched, complete => {
    const hosted = hostedFor(candidate, call)
    const auto_cache = channel.setting.auto_cache !== false
    const format = translatingFormat({ ...formats, hosted, auto_cache, label: labelOf(call, complete) })
    return { ...api, hosted: () => hosted, format }
  })
}

const labelOf = (call: Call, request: ChatRequest) => ({
  id: call.request_id,
  created: now(),
  prompt: call.prompt_tokens,
  request,
})

/** A chat whose request passes and whose stream is gathered; operations without chats are not gathered. */
function gathering(call: Call, api: PassedApi): PassedApi {
  const { format: client } = call.endpoint
  const { format: upstream } = api
  if (!isChatClient(client) || !isChatUpstream(upstream)) return api
  const request = call.canonical.read()!
  if (!('messages' in request)) throw new Untranslatable(request)
  const { forward, applyModelSettings, limitOutput } = upstream
  const format = translatingFormat({ client, upstream, label: labelOf(call, request) })
  return { ...api, format: { ...format, forward, applyModelSettings, limitOutput } }
}
