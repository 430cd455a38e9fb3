/** Paging of every list. Sizes are rows per page. */
import { z } from 'zod'

export const PAGE_SIZES = [10, 20, 50, 100] as const
/** Default of the API, where a size is absent or invalid. */
export const PAGE_SIZE_DEFAULT = 10
/** Default of pages, until the visitor chooses another. */
export const PAGE_ROWS_DEFAULT = 20
export const PAGE_SIZE_MAX = 100

/** Query values that clients send for an absent parameter. */
export const absent: ReadonlySet<string> = new Set(['', 'NaN', 'undefined', 'null'])

/** One page of a list in the API. */
export interface Listing<T> {
  items: T[]
  total: number
  page: number
  page_size: number
}

/** Its schema. */
export const listingOf = <Item extends z.ZodType>(item: Item) =>
  z.object({ items: z.array(item), total: z.int(), page: z.int(), page_size: z.int() })

const whole = (text: unknown) => (typeof text === 'string' && /^\d{1,15}$/.test(text) ? Number(text) : undefined)

export interface Paging {
  /** 1 for the first page. */
  page: number
  size: number
  offset: number
}

/**
 * An invalid size becomes the default, a larger one the maximum.
 * @param base number of the first page in the query: 0 or 1
 */
export function pageOf(query: Record<string, unknown>, base: 0 | 1): Paging {
  const requested = whole(query.page_size ?? query.size)
  const size = Math.min(requested || PAGE_SIZE_DEFAULT, PAGE_SIZE_MAX)
  const page = Math.max((whole(query.p) ?? base) - base, 0) + 1
  return { page, size, offset: (page - 1) * size }
}

/** A query parameter; undefined for every spelling of an absent one. */
export const optional = z
  .string()
  .optional()
  .transform(text => (text === undefined || absent.has(text) ? undefined : text))

/** The id in a path: 1 to 15 digits. Other paths are answered with 404. */
export const Id = z.object({
  id: z
    .string()
    .regex(/^\d{1,15}$/)
    .transform(Number),
})
