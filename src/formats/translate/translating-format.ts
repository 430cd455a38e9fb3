/** An upstream of another format, as if it spoke its caller's: for one attempt. */

import type { Json } from '../../pure/json.ts'
import type { Pivot, UpstreamCodec } from '../format.ts'
import { type Flaw, isFlaw } from '../json/checks.ts'
import type { Route } from './route.ts'
import { meter, toldOf } from './tally.ts'
import { translateAnswer, translateRequest } from './translate.ts'
import { TranslatedStream } from './translating-stream.ts'

/** The request has something in it that the upstream's format cannot say, and that must not be left out. */
export class Unsayable extends Error {
  constructor(readonly flaw: Flaw) {
    super(flaw.code)
  }
}

export function translating(route: Route, upstream: UpstreamCodec): UpstreamCodec {
  let asked = route
  return {
    /** @throws Unsayable */
    forward(_, edit) {
      asked = { ...route, model: edit.model }
      const body = translateRequest(route, edit)
      if (isFlaw(body)) throw new Unsayable(body)
      return body
    },
    adapt: upstream.adapt,
    readAnswer(body) {
      const answer = route.upstream.readAnswer(body)
      return answer && toldOf(answer, translateAnswer(asked, answer))
    },
    readStream: options => new TranslatedStream(asked, options),
    meter,
    readError: (body, status = 0) => route.upstream.readError(body, status),
    asStream: upstream.asStream,
  }
}

/** For whole answers. */
export const pivoting = (pivot: Pivot, upstream: UpstreamCodec): UpstreamCodec => ({
  ...upstream,
  readAnswer(body) {
    const told = upstream.readAnswer(body)
    return told && { ...told, retold: pivot.tell(body as Json) }
  },
})
