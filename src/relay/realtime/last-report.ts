/** The wait for the upstream's report of the turns that were running when a realtime session ended early. */

import { option } from '../../domain/options/index.ts'
import { setCoarseTimer } from '../../process/coarse-timer.ts'
import { deadline } from '../../process/shutdown.ts'

const MS_PER_SECOND = 1000

/** Is over when the report has come, after `SettleAfterLeave` seconds, or when the process ends. */
export class LastReport {
  isAwaited = true
  readonly promise: Promise<void>
  readonly #over = Promise.withResolvers<void>()
  readonly #cancelTimer: () => void

  /** @param cancels the upstream charges for what it has sent alone */
  constructor(cancels = false) {
    this.promise = this.#over.promise
    const seconds = cancels ? 0 : option('SettleAfterLeave')
    this.#cancelTimer = setCoarseTimer(seconds * MS_PER_SECOND, this.came)
    deadline.addEventListener('abort', this.came)
    if (!seconds || deadline.aborted) this.came()
  }

  came = () => {
    this.isAwaited = false
    this.#cancelTimer()
    deadline.removeEventListener('abort', this.came)
    this.#over.resolve()
  }
}
