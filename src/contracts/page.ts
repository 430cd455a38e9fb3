/** The paging rules of every list: sizes that make no sense are the default, none is above the cap. */
import { z } from 'zod'
import { absent, PAGE_SIZE_DEFAULT, PAGE_SIZE_MAX } from './paging.ts'

const whole = (text: unknown) => (typeof text === 'string' && /^\d{1,15}$/.test(text) ? Number(text) : undefined)

export interface Page {
  /** 1 for the first page, whatever the wire's base is. */
  page: number
  size: number
  offset: number
}

/** @param base what the wire calls the first page: 0 or 1. */
export function pageOf(query: Record<string, unknown>, base: 0 | 1): Page {
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
