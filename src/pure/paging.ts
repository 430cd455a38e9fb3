/** Numbers of the first and the last row of a page, from 1; 0 and 0 for a page without rows. */
export function spanOf(page: number, size: number, total: number): { start: number; end: number } {
  if (total === 0) return { start: 0, end: 0 }
  const start = (page - 1) * size + 1
  return start > total ? { start: 0, end: 0 } : { start, end: Math.min(page * size, total) }
}

export const lastPage = (size: number, total: number): number => Math.max(1, Math.ceil(total / size))
