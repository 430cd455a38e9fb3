/** A caller's connection: a silent one is closed by the server, except while the caller is kept waiting. */

/** For more of the last bytes to be taken, and for another request: counted anew whenever any are. Servers count no further. */
const REST_SECONDS = 240

export type TimeoutControl = { timeout(request: Request, seconds: number): void } | null

export class ClientConnection {
  constructor(
    private readonly request: Request,
    private readonly server: TimeoutControl,
  ) {}

  /** The caller waits, for however long. */
  hold() {
    this.server?.timeout(this.request, 0)
  }

  /** All has been said. */
  idle() {
    this.server?.timeout(this.request, REST_SECONDS)
  }

  /** At once, as far as the server can: whoever reads nothing notices no gentler end. */
  close() {
    this.server?.timeout(this.request, 1)
  }
}
