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
