/**
 * Access log: a JSON line on standard error for a share of the calls, without keys and content. Lines are written together,
 * since each write costs more than its line.
 */
import { NODE_ID } from '../../cluster/node.ts'
import { env } from '../../env.ts'
import { now_ms } from '../../process/clock.ts'
import { type LogFields, writeLines } from '../../process/log.ts'
import { onShutdown } from '../../process/shutdown.ts'
import { onReset } from '../../process/stores.ts'

/** Whether this call has a line. */
export const isSampled = () => env.ACCESS_LOG > 0 && Math.random() < env.ACCESS_LOG

/** Lines wait so long for others, or until they are so many. */
const DELAY_MS = 100
const WAITING_CHARS_MAX = 32_768
const SAME = `"message":"call","node":${JSON.stringify(NODE_ID)},`

let waiting = ''
let timer: Timer | undefined
onReset('access-lines', () => {
  clearTimeout(timer)
  timer = undefined
  waiting = ''
})

export function writeAccess(fields: LogFields) {
  waiting += `{"time":"${new Date(now_ms()).toISOString()}",${SAME}${JSON.stringify(fields).slice(1)}\n`
  if (waiting.length > WAITING_CHARS_MAX) void writeWaiting()
  else timer ??= setTimeout(writeWaiting, DELAY_MS).unref()
}

async function writeWaiting() {
  clearTimeout(timer)
  timer = undefined
  const lines = waiting
  waiting = ''
  if (lines) await writeLines(lines)
}

/** After the bills, which calls report last. */
onShutdown('database', writeWaiting)
process.on('exit', writeWaiting)
