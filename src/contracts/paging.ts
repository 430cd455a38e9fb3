/** Paging of every list: an invalid size is the default, and no size is above the maximum. */
import { z } from 'zod'

export const PAGE_SIZES = [10, 20, 50, 100] as const
export const PAGE_SIZE_DEFAULT = 10
export const PAGE_SIZE_MAX = 100

/** Query text that the console sends for "nothing". */
export const absent: ReadonlySet<string> = new Set(['', 'NaN', 'undefined', 'null'])

/** One page of a list, as the wire has it. */
export interface Listing<T> {
  items: T[]
  total: number
  page: number
  page_size: number
}

const whole = (text: unknown) => (typeof text === 'string' && /^\d{1,15}$/.test(text) ? Number(text) : undefined)

export interface Paging {
  /** 1 for the first page, whatever the wire's base is. */
  page: number
  size: number
  offset: number
}

/** @param base what the wire calls the first page: 0 or 1. */
export function pageOf(query: Record<string, unknown>, base: 0 | 1): Paging {
  const asked = whole(query.page_size ?? query.size)
  const size = Math.min(asked || PAGE_SIZE_DEFAULT, PAGE_SIZE_MAX)
  const page = Math.max((whole(query.p) ?? base) - base, 0) + 1
  return { page, size, offset: (page - 1) * size }
}

/** A query parameter that may be absent, in any of the ways the console leaves it out. */
export const optional = z
  .string()
  .optional()
  .transform(text => (text === undefined || absent.has(text) ? undefined : text))

/** The id in a path: digits, and nothing that is only like a number. */
export const Id = z.object({
  id: z
    .string()
    .regex(/^\d{1,15}$/)
    .transform(Number),
})
