/** The responses that run on this node without their clients. */
import {
  type BackgroundResponse,
  backgroundResponse,
  deleteBackground,
  endBackground,
  whenEndedElsewhere,
} from '../../domain/background-responses/index.ts'
import { cancelledResponse } from '../../formats/openai-responses/background.ts'
import { failedResponse } from '../../formats/openai-responses/write-failure.ts'
import { abortCalls, DRAIN_TIMEOUT_MS, deadline, onShutdown } from '../../process/shutdown.ts'
import { store } from '../../process/stores.ts'
import type { BackgroundRun } from './run.ts'

const runs = store('background-runs', new Map<string, BackgroundRun>())
/** Work without a client, each with what gives it up. */
const following = new Map<Promise<void>, () => void>()

/** How many run on this node. */
export const runsHere = () => runs.size

export const runOf = (id: string): BackgroundRun | undefined => runs.get(id)

/** Keeps the run until its response has ended. */
export function startRun(run: BackgroundRun, responding: Promise<Response>) {
  runs.set(run.id, run)
  const forget = whenEndedElsewhere(run.id, () => run.cancel())
  const ended = run.follow(responding).finally(() => {
    forget()
    runs.delete(run.id)
    run.end()
  })
  keepRunning(ended, () => run.cancel())
}

/** The process waits for its end before it stops. @param work never rejects */
export function keepRunning(work: Promise<void>, giveUp: () => void) {
  const done = work.finally(() => following.delete(done))
  following.set(done, giveUp)
}

/** A response of the caller, in its latest state. @returns undefined where there is none under this id */
export async function latestOf(id: string, user_id: number): Promise<BackgroundResponse | undefined> {
  const found = await backgroundResponse(id, user_id)
  if (!found || !(await found.isLost(runs.has(id)))) return found
  const error = { status: 500, type: 'server_error', code: 'server_error', param: null }
  await endBackground(id, 'failed', failedResponse(found.response, { ...error, message: 'The server was restarted.' }))
  return backgroundResponse(id, user_id)
}

/** @returns the response as it is afterwards: one that has ended stays as it is */
export async function cancelRun(found: BackgroundResponse, user_id: number): Promise<BackgroundResponse | undefined> {
  if (await endBackground(found.id, 'cancelled', cancelledResponse(found.response))) runs.get(found.id)?.cancel()
  return backgroundResponse(found.id, user_id)
}

export async function removeRun(id: string, user_id: number) {
  await deleteBackground(id, user_id)
  runs.get(id)?.cancel()
}

/** What runs when the process stops has the time of the drain. */
onShutdown('drain', async () => {
  const isOver = Promise.withResolvers<void>()
  deadline.addEventListener('abort', () => isOver.resolve())
  const late = setTimeout(abortCalls, DRAIN_TIMEOUT_MS)
  await Promise.race([Promise.all(following.keys()), isOver.promise])
  clearTimeout(late)
  for (const giveUp of following.values()) giveUp()
})
onShutdown('flush', () => Promise.all(following.keys()))
