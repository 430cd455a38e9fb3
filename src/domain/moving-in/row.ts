/** Values of a foreign row as ours: engines give numbers as texts, flags as numbers, and fixed texts with blanks behind. */
import type { ForeignRow, ForeignValue } from '../../db/foreign/foreign-database.ts'

const REPLACED = '\ufffd'

/** Without the blanks of a fixed width. PostgreSQL has no NUL in texts. */
export function text(value: ForeignValue): string {
  if (value === null || value === undefined) return ''
  const whole = value instanceof Uint8Array ? new TextDecoder().decode(value) : String(value)
  return whole.replaceAll('\0', REPLACED).trimEnd()
}

/** A whole number; `fallback` for none. */
export function whole(value: ForeignValue, fallback = 0): number {
  if (value === null || value === undefined || value === '') return fallback
  const number =
    typeof value === 'boolean' ? Number(value) : Math.trunc(Number(value instanceof Uint8Array ? text(value) : value))
  return Number.isSafeInteger(number) ? number : fallback
}

export const decimal = (value: ForeignValue): number => {
  const number = Number(value ?? 0)
  return Number.isFinite(number) ? number : 0
}

export const flag = (value: ForeignValue): boolean => whole(value) !== 0 || text(value) === 'true'

/** An object, blank for anything else. */
export function json(value: ForeignValue): Record<string, unknown> {
  try {
    const read: unknown = JSON.parse(text(value))
    return typeof read === 'object' && read !== null && !Array.isArray(read) ? (read as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

/** A list, empty for anything else. */
export function list(value: ForeignValue): unknown[] {
  try {
    const read: unknown = JSON.parse(text(value))
    return Array.isArray(read) ? read : []
  } catch {
    return []
  }
}

const MS_PER_SECOND = 1000

/** A moment in Unix seconds; 0 for none, as for the zero time of Go. */
export function moment(value: ForeignValue): number {
  if (value === null || value === undefined || value === '') return 0
  const ms = value instanceof Date ? value.getTime() : Date.parse(inUtc(text(value)))
  return Number.isFinite(ms) && ms > 0 ? Math.floor(ms / MS_PER_SECOND) : 0
}

/** Without a zone it is UTC; fractions beyond milliseconds and a zone's name are cut. */
function inUtc(time: string): string {
  const [, day, clock = '00:00:00', zone = 'Z'] =
    /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d:\d\d)(?:\.\d+)? ?(Z|[+-]\d\d:?\d\d)?)?/.exec(time) ?? []
  return day ? `${day}T${clock}${zone.replace(/^([+-]\d\d)(\d\d)$/, '$1:$2')}` : ''
}

/** Whether the row was deleted: its time stands there. */
export const isDeleted = ({ deleted_at }: ForeignRow): boolean =>
  deleted_at !== null && deleted_at !== undefined && deleted_at !== ''

export const isBroken = (value: string): boolean => value.includes(REPLACED)
