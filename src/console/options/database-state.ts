/** Whether the database answers, asked at most every 10 seconds. */
import { now } from '../../process/clock.ts'
import { onReset } from '../../process/stores.ts'
import { databaseAnswers } from '../../web/health.ts'

const INTERVAL_SECONDS = 10

let latest: { at: number; answers: Promise<boolean> } | undefined
onReset('database-state', () => {
  latest = undefined
})

export function databaseState(): Promise<boolean> {
  if (!latest || now() - latest.at >= INTERVAL_SECONDS) latest = { at: now(), answers: databaseAnswers() }
  return latest.answers
}
