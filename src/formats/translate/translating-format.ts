/** An upstream of another format, as if it had the client's: for one attempt. */
import type { Json } from '../../pure/json.ts'
import type { FormatConversion, PassedUpstream } from '../format.ts'
import { type Flaw, isFlaw } from '../json/checks.ts'
import type { FormatPair } from './format-pair.ts'
import { GatheredStream } from './gathered-stream.ts'
import { meter, WholeFacts } from './tally.ts'
import { translateRequest, translateResponse } from './translate.ts'
import { TranslatingStream } from './translating-stream.ts'

/** The request contains what the upstream's format refuses. */
export class Untranslatable extends Error {
  constructor(readonly flaw: Flaw) {
    super(flaw.code)
  }
}

export function translatingFormat(pair: FormatPair): PassedUpstream {
  const { upstream } = pair
  let forwarded = pair
  return {
    name: upstream.name,
    /** @throws Untranslatable */
    forward(_, edit) {
      forwarded = { ...pair, model: edit.model }
      const body = translateRequest(pair, edit)
      if (isFlaw(body)) throw new Untranslatable(body)
      return body
    },
    applyModelSettings: upstream.applyModelSettings,
    limitOutput: upstream.limitOutput,
    responseFacts(body) {
      const response = upstream.readResponse(body)
      return response && new WholeFacts(response, translateResponse(forwarded, response))
    },
    streamReader: options => new TranslatingStream(forwarded, options),
    gathering: () => new GatheredStream(forwarded),
    meter,
    readError: upstream.readError,
    toStream: upstream.toStream,
  }
}

/** The same for operations without streams and without a canonical form. */
export const convertingFormat = (conversion: FormatConversion, upstream: PassedUpstream): PassedUpstream => ({
  ...upstream,
  responseFacts(body) {
    const facts = upstream.responseFacts(body)
    return facts && Object.assign(facts, { rewritten: conversion.convertResponse(body as Json) })
  },
})
