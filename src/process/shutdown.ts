/** The end of the process: announced once, so that everyone can finish what they have begun. */

const drained = new AbortController()
const endings: (() => Promise<unknown>)[] = []
let stopping = false

/** No new work from now on. */
export const isStopping = () => stopping
export const beginStopping = () => {
  stopping = true
}

/** Aborted when the time for finishing is over: streams end with an error event and are billed. */
export const deadline: AbortSignal = drained.signal
export const abortCalls = () => drained.abort()

/** Runs after the last request and before the database closes: flush, settle, stop a timer. */
export const atEnd = (work: () => Promise<unknown>) => void endings.push(work)
export const runEndings = () => Promise.allSettled(endings.map(work => work()))

/** Why the process cannot start or a command cannot run: said in one line. */
export class StartupError extends Error {}
