/** The events of an upstream's failure in the client's own format: they pass unchanged where clients may see all of them. */
import { hasNoSecrets, type RoutedChannel } from '../../domain/routing/index.ts'
import type { EventKind, StreamReader } from '../../formats/format.ts'
import { asBuffer, dataIn, toBytes } from '../../stream/sse.ts'
import type { Fault } from '../errors/fault.ts'

/** Milliseconds that an upstream has for the rest of its failure. */
export const FAILURE_TIMEOUT_MS = 2000

export class NativeFailure {
  #events = ''
  #is_complete = false

  get begun(): boolean {
    return this.#events !== ''
  }

  add(kind: EventKind, event: string) {
    this.#events += event
    this.#is_complete = kind === 'failed'
  }

  /** @returns the bytes that pass; undefined where the gateway writes the failure itself */
  bytes(
    { params, upstream_error }: Fault,
    { error, failure_words }: StreamReader,
    channel: RoutedChannel,
  ): Uint8Array | undefined {
    // Retries, mappings and redaction decide by the error; whatever they change or hide shows there.
    if (!this.#is_complete || params.status !== error?.status) return undefined
    if (JSON.stringify(upstream_error) !== JSON.stringify(error)) return undefined
    const bytes = toBytes(this.#events)
    const words = JSON.stringify(failure_words)
    return hasNoSecrets(dataIn(asBuffer(bytes)).join('\n'), words, channel) ? bytes : undefined
  }
}
