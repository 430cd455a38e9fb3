/** Ordered end of the process: each phase finishes before the next one begins. */
import { log, reason } from './log.ts'

/**
 * `intake` no new work; `drain` calls finish; `flush` buffers are written, timers and background work end; `books` bills
 * are committed; `database` the connection closes.
 */
const phases = ['intake', 'drain', 'flush', 'books', 'database'] as const
export type ShutdownPhase = (typeof phases)[number]

/** Calls that still run are aborted then. */
export const DRAIN_TIMEOUT_MS = 30_000

type Work = () => unknown

const works: Record<ShutdownPhase, Work[]> = { intake: [], drain: [], flush: [], books: [], database: [] }
const drained = new AbortController()
let draining = false
let stopping = false

/** Registers work for a phase. Works of one phase run side by side; one that fails is logged and stops no other. */
export const onShutdown = (phase: ShutdownPhase, work: Work) => void works[phase].push(work)

/** Runs every phase in order. Resolves when the last one is over. */
export async function shutDown() {
  beginStopping()
  for (const phase of phases) {
    const results = await Promise.allSettled(works[phase].map(async work => work()))
    for (const result of results) {
      if (result.status === 'rejected') log.error('shutdown failed', { phase, reason: reason(result.reason) })
    }
  }
}

/** True from the first signal on: balancers are to send nothing more, but what comes is served until the port closes. */
export const isDraining = () => draining
export const beginDraining = () => {
  draining = true
}

/** True once the port closes: new calls and new jobs are refused. */
export const isStopping = () => stopping
export const beginStopping = () => {
  draining = stopping = true
}

/** Aborted when the time for draining is over: streams end with an error event and are billed. */
export const deadline: AbortSignal = drained.signal
export const abortCalls = () => drained.abort()

/** The process cannot start, or a command cannot run; the message is one line for the operator. */
export class StartupError extends Error {}
