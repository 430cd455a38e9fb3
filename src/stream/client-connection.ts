/** The idle timeout of a client's connection, set per phase of a request. */

/** Idle timeout of a new connection, and of one of the console that waits for no handler. */
export const CONNECTION_TIMEOUT_SECONDS = 30
/** Idle timeout after the response to a call, reset by every read of the client; close to Bun's maximum of 255 s. */
const IDLE_TIMEOUT_SECONDS = 240

export interface TimeoutControl {
  timeout(request: Request, seconds: number): void
}

export class ClientConnection {
  #closing = false
  /** Of the body so far, where it is written as the client reads. */
  written_bytes = 0
  #isWritten = false
  #afterBody: ((bytes: number) => void) | undefined

  constructor(
    private readonly request: Request,
    private readonly server: TimeoutControl | null,
  ) {}

  get hasSocket(): boolean {
    return this.server !== null
  }

  /** No timeout while the client waits for the response. */
  hold() {
    this.server?.timeout(this.request, 0)
  }

  /** The response is complete. */
  idle() {
    if (!this.#closing) this.server?.timeout(this.request, IDLE_TIMEOUT_SECONDS)
  }

  /** The body has ended, or is given up. */
  endBody() {
    this.idle()
    this.#noteEnd()
  }

  /** The body goes out at once. */
  sendBody(bytes: number) {
    this.written_bytes = bytes
    this.#noteEnd()
  }

  #noteEnd() {
    this.#isWritten = true
    this.#afterBody?.(this.written_bytes)
    this.#afterBody = undefined
  }

  /** Runs once the body has ended. */
  afterBody(work: (bytes: number) => void) {
    if (this.#isWritten) work(this.written_bytes)
    else this.#afterBody = work
  }

  /** Closes within a second, the server's shortest timeout: a client that reads nothing notices no gentler end. */
  close() {
    this.#closing = true
    this.server?.timeout(this.request, 1)
  }
}
