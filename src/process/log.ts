/** Structured lines on stderr: text for people, JSON for machines. Never bodies, keys or cookies. */
import { env } from '../env.ts'
import { now_ms } from './clock.ts'

type Level = 'debug' | 'info' | 'warn' | 'error'
type Facts = Record<string, string | number | boolean | null | undefined>

const order = { debug: 0, info: 1, warn: 2, error: 3, silent: 4 }

function write(level: Level, message: string, facts: Facts = {}) {
  if (order[level] < order[env.LOG_LEVEL]) return
  const time = new Date(now_ms()).toISOString()
  if (env.LOG_FORMAT === 'json') return process.stderr.write(`${JSON.stringify({ time, level, message, ...facts })}\n`)
  const tail = Object.entries(facts)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => ` ${key}=${typeof value === 'string' ? quoted(value) : value}`)
  process.stderr.write(`${time} ${level.padEnd(5)} ${message}${tail.join('')}\n`)
}

/** What could end the line, or steer the terminal that shows it, is spelled out: others choose some of the words. */
const quoted = (text: string) =>
  /[\s"=\p{C}]/u.test(text)
    ? JSON.stringify(text).replace(/[[\p{C}\p{Z}]--[ ]]/gv, sign => `\\u{${sign.codePointAt(0)!.toString(16)}}`)
    : text

export const log = {
  debug: (message: string, facts?: Facts) => write('debug', message, facts),
  info: (message: string, facts?: Facts) => write('info', message, facts),
  warn: (message: string, facts?: Facts) => write('warn', message, facts),
  error: (message: string, facts?: Facts) => write('error', message, facts),
}

/** What went wrong, in one line, for a log: the message and where it was thrown. */
export function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const cause = error.cause instanceof Error ? ` (${error.cause.message})` : ''
  return `${error.message}${cause} ${error.stack?.split('\n')[1]?.trim() ?? ''}`.trim()
}
