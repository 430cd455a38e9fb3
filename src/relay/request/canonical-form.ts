/** A call's body in canonical form, which is read when it is first needed, and at most once. */
import type { ChatRequest } from '../../formats/canonical/chat.ts'
import { type ClientFormat, isChatClient } from '../../formats/format.ts'
import type { Flaw } from '../../formats/json/checks.ts'
import { requestOf } from '../../formats/translate/passthrough.ts'
import type { Json } from '../../pure/json.ts'

export class CanonicalForm {
  #request: ChatRequest | Flaw | undefined

  constructor(
    private readonly format: ClientFormat,
    private readonly body: Json,
  ) {}

  /** @returns undefined when the client's format has no canonical form, such as embeddings */
  read(): ChatRequest | Flaw | undefined {
    if (!isChatClient(this.format)) return undefined
    this.#request ??= requestOf(this.format, this.body)
    return this.#request
  }

  /** Frees its memory: a long stream does not hold it. */
  release() {
    this.#request = undefined
  }
}
