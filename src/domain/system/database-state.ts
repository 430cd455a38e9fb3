/** Whether the database answers, asked at most every 10 seconds. */

import { databaseAnswers } from '../../db/database-server.ts'
import { now } from '../../process/clock.ts'
import { onReset } from '../../process/stores.ts'

const INTERVAL_SECONDS = 10

let latest: { at: number; answers: Promise<boolean> } | undefined
onReset('database-state', () => {
  latest = undefined
})

export function databaseState(): Promise<boolean> {
  if (!latest || now() - latest.at >= INTERVAL_SECONDS) latest = { at: now(), answers: databaseAnswers() }
  return latest.answers
}
