/** Seconds of sound in a session's input buffer, until they become an item of the conversation. */

const MS_PER_SECOND = 1000

export class InputAudio {
  #buffered = 0
  /** Seconds that a clear of the client drops once the upstream confirms it. */
  #clearing = 0
  /** Seconds of the items that were counted before the upstream confirms them. */
  readonly #counted: number[] = []
  #speech_from_ms: unknown

  get buffered(): number {
    return this.#buffered
  }

  append(seconds: number) {
    this.#buffered += seconds
  }

  clear() {
    this.#clearing = this.#buffered
  }

  cleared() {
    this.#buffered = Math.max(0, this.#buffered - this.#clearing)
    this.#clearing = 0
  }

  /** The client makes the buffer an item. @returns its seconds */
  commit(): number {
    return this.#count(this.#take())
  }

  speechStarted(audio_start_ms: unknown) {
    this.#speech_from_ms = audio_start_ms
  }

  /** The upstream makes the speech an item, without the silence around it. @returns its seconds */
  speechStopped(audio_end_ms: unknown): number {
    const [from, to] = [this.#speech_from_ms, audio_end_ms]
    const buffered = this.#take()
    const isKnown = typeof from === 'number' && typeof to === 'number'
    return this.#count(isKnown ? Math.max(0, to - from) / MS_PER_SECOND : buffered)
  }

  /** The upstream has made an item. */
  committed(): { seconds: number; wasCounted: boolean } {
    const seconds = this.#counted.shift()
    return { seconds: seconds ?? this.#take(), wasCounted: seconds !== undefined }
  }

  #count(seconds: number): number {
    this.#counted.push(seconds)
    return seconds
  }

  #take(): number {
    const seconds = this.#buffered
    this.#buffered = 0
    this.#clearing = 0
    return seconds
  }
}
