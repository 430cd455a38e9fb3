/** Where a page of a list begins and ends, counted from 1; nothing is 0–0. */
export function spanOf(page: number, size: number, total: number): { start: number; end: number } {
  if (total === 0) return { start: 0, end: 0 }
  const start = (page - 1) * size + 1
  return start > total ? { start: 0, end: 0 } : { start, end: Math.min(page * size, total) }
}

export const lastPage = (size: number, total: number): number => Math.max(1, Math.ceil(total / size))
