/** Reads a finished stream to its end, so that its connection can be used again. */
import { setCoarseTimer } from '../../process/coarse-timer.ts'
import { ClientDisconnected } from '../errors/fault.ts'
import type { StreamedResponse } from '../upstream/upstream-response.ts'

const DRAIN_TIMEOUT_MS = 2000

export async function drain({ source, abort }: StreamedResponse) {
  const cancelTimer = setCoarseTimer(DRAIN_TIMEOUT_MS, () => abort.abort(new ClientDisconnected()))
  try {
    while (await source.next());
  } catch {
    // The response is complete.
  }
  cancelTimer()
}
