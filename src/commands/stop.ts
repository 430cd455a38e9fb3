/** The end of the server by signal: one drain, whatever comes after it; SIGINT again shortens the drain. */
import { readFileSync } from 'node:fs'
import type { AnyElysia } from 'elysia'
import { env } from '../env.ts'
import { stopwatch } from '../process/clock.ts'
import { log } from '../process/log.ts'
import { abortCalls, beginDraining, DRAIN_TIMEOUT_MS, onShutdown, shutDown } from '../process/shutdown.ts'

/** After the drain, aborted streams still write their last event and are billed. */
const ABORT_TIMEOUT_MS = 3000
/** Time after the first signal in which every SIGINT is the same one: a terminal, wrapper and group may each deliver it. */
const FORCE_AFTER_MS = 2000
/** A forced end that cannot write its bills, as without its database, gives up after this. */
const FORCED_TIMEOUT_MS = 10_000

const forced = Promise.withResolvers<false>()
/** Time since the first signal. */
let stopping: (() => number) | undefined
let exitCode = 0

/** Ends the process with 0 after the drain; with 1 where it was forced. */
export function stopOnSignals(app: AnyElysia) {
  onShutdown('drain', () => drain(app))
  const stopOnce = () => stop(app)
  process.on('SIGTERM', stopOnce)
  process.on('SIGINT', () => (stopping && stopping() >= FORCE_AFTER_MS ? force() : stopOnce()))
  if (isHangupFatal()) process.on('SIGHUP', stopOnce)
}

async function stop(app: AnyElysia) {
  if (stopping) return
  stopping = stopwatch()
  log.info('stopping', { ready_for_seconds: env.DRAIN_SECONDS || undefined, drain_seconds: DRAIN_TIMEOUT_MS / 1000 })
  if (env.DRAIN_SECONDS) await leaveBalancers(app)
  await shutDown()
  log.info('stopped')
  process.exit(exitCode)
}

/** Serves on while balancers find out, and closes each connection behind its response: the next request opens another. */
async function leaveBalancers(app: AnyElysia) {
  beginDraining()
  const fetch = async (request: Request) => closing(await app.fetch(request))
  // Without routes of their own all requests come to `fetch`; sockets keep their handlers.
  app.server!.reload({ routes: {}, fetch })
  await Promise.race([Bun.sleep(env.DRAIN_SECONDS * 1000), forced.promise])
}

/** There is no response to a request that became a socket. */
function closing(response: Response | undefined) {
  response?.headers.set('connection', 'close')
  return response as Response
}

/** Ends the drain: running calls get an error event and are billed. */
function force() {
  if (exitCode) return
  exitCode = 1
  log.warn('stopping at once')
  abortCalls()
  forced.resolve(false)
  setTimeout(() => process.exit(exitCode), FORCED_TIMEOUT_MS)
}

/** Waits for the running calls, then aborts those that are left. */
async function drain(app: AnyElysia) {
  const finished = app.server!.stop()
  const inTime = await Promise.race([
    finished.then(() => true),
    forced.promise,
    Bun.sleep(DRAIN_TIMEOUT_MS).then(() => false),
  ])
  if (inTime) return
  abortCalls()
  await Promise.race([finished, Bun.sleep(ABORT_TIMEOUT_MS)])
  await app.server!.stop(true)
}

/** False under `nohup`, whose processes outlive their terminal, and where Linux does not show it. */
function isHangupFatal(): boolean {
  try {
    const mask = /^SigIgn:\s*([0-9a-f]+)/m.exec(readFileSync('/proc/self/status', 'latin1'))?.[1]
    return mask !== undefined && (Number.parseInt(mask.slice(-1), 16) & 1) === 0
  } catch {
    return false
  }
}
