/** An upstream of another format, as if it spoke its caller's: for one attempt. */

import type { Json } from '../../pure/json.ts'
import type { FormatConversion, UpstreamFormat } from '../format.ts'
import { type Flaw, isFlaw } from '../json/checks.ts'
import type { Route } from './route.ts'
import { meter, responseFactsOf } from './tally.ts'
import { translateRequest, translateResponse } from './translate.ts'
import { TranslatingStream } from './translating-stream.ts'

/** The request has something in it that the upstream's format cannot say, and that must not be left out. */
export class Untranslatable extends Error {
  constructor(readonly flaw: Flaw) {
    super(flaw.code)
  }
}

export function translatingFormat(route: Route, upstream: UpstreamFormat): UpstreamFormat {
  let asked = route
  return {
    /** @throws Unsayable */
    forward(_, edit) {
      asked = { ...route, model: edit.model }
      const body = translateRequest(route, edit)
      if (isFlaw(body)) throw new Untranslatable(body)
      return body
    },
    applyModelSettings: upstream.applyModelSettings,
    readResponse(body) {
      const answer = route.upstream.readResponse(body)
      return answer && responseFactsOf(answer, translateResponse(asked, answer))
    },
    readStream: options => new TranslatingStream(asked, options),
    meter,
    readError: (body, status = 0) => route.upstream.readError(body, status),
    toStream: upstream.toStream,
  }
}

/** For whole answers. */
export const convertingFormat = (pivot: FormatConversion, upstream: UpstreamFormat): UpstreamFormat => ({
  ...upstream,
  readResponse(body) {
    const told = upstream.readResponse(body)
    return told && { ...told, rewritten: pivot.convertResponse(body as Json) }
  },
})
