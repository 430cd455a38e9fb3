/**
 * Ids of a client's requests for responses. An upstream names the event that it refuses, and a client may use one id
 * twice: each request goes out under an id of its own, from which the client's is restored.
 */
import { requestId } from '../../crypto/random-id.ts'
import { textOf } from '../../formats/json/lenient-json.ts'
import type { Json } from '../../pure/json.ts'

export class EventIds {
  /** No client sees it, so that none can use it. */
  readonly #mark = `event_${requestId()}_`
  #count = 0

  /** Gives an event an id of its own. */
  replace(event: Json) {
    event.event_id = `${this.#mark}${++this.#count}_${textOf(event.event_id)}`
  }

  /** Names the client's event in an error of the upstream: null for one without an id. */
  restore(error: Json) {
    const id = textOf(error.event_id)
    if (id.startsWith(this.#mark)) error.event_id = id.slice(id.indexOf('_', this.#mark.length) + 1) || null
  }
}
