/** The process log on stderr, as text or JSON lines. Bodies, keys and cookies are never logged. */
import { env } from '../env.ts'
import { now_ms } from './clock.ts'
import { keepWarning } from './last-warnings.ts'

type Level = 'debug' | 'info' | 'warn' | 'error'
export type LogFields = Record<string, string | number | boolean | null | undefined>

const order = { debug: 0, info: 1, warn: 2, error: 3, silent: 4 }

function write(level: Level, message: string, fields: LogFields = {}) {
  if (level === 'warn' || level === 'error') keepWarning({ at_ms: now_ms(), level, message, fields })
  if (order[level] < order[env.LOG_LEVEL]) return
  const time = new Date(now_ms()).toISOString()
  if (env.LOG_FORMAT === 'json') return process.stderr.write(`${JSON.stringify({ time, level, message, ...fields })}\n`)
  const tail = Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => ` ${key}=${typeof value === 'string' ? quoted(value) : value}`)
  process.stderr.write(`${time} ${level.padEnd(5)} ${message}${tail.join('')}\n`)
}

/** Escapes control characters: clients choose some values, and could forge a line or control a terminal. */
const quoted = (text: string) =>
  /[\s"=\p{C}]/u.test(text)
    ? JSON.stringify(text).replace(/[[\p{C}\p{Z}]--[ ]]/gv, sign => `\\u{${sign.codePointAt(0)!.toString(16)}}`)
    : text

/** Lines that are complete, whatever the format and the level of the log are. Resolves once they are written. */
export const writeLines = (lines: string) =>
  new Promise<void>(resolve => void process.stderr.write(lines, () => resolve()))

export const log = {
  debug: (message: string, fields?: LogFields) => write('debug', message, fields),
  info: (message: string, fields?: LogFields) => write('info', message, fields),
  warn: (message: string, fields?: LogFields) => write('warn', message, fields),
  error: (message: string, fields?: LogFields) => write('error', message, fields),
}

/** An error in one line: message, cause and first stack frame. */
export function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const cause = error.cause instanceof Error ? ` (${error.cause.message})` : ''
  return `${error.message}${cause} ${error.stack?.split('\n')[1]?.trim() ?? ''}`.trim()
}
