/** Numbers for display. */

/** 21,594 */
export const grouped = (value: number): string => groupDigits(String(value))

/** Puts commas into the whole part of a decimal text. */
export const groupDigits = (text: string): string =>
  text.replace(/^-?\d+/, whole => whole.replace(/\B(?=(\d{3})+$)/g, ','))

const scales = [
  { size: 1e9, letter: 'B' },
  { size: 1e6, letter: 'M' },
  { size: 1e3, letter: 'k' },
] as const

const SHORT_FROM = 10_000

/** 9,999 · 10k · 48.2k · 212k · 41.6M · 1.2B */
export function short(value: number): string {
  if (Math.abs(value) < SHORT_FROM) return grouped(value)
  // A value that rounds to 1000k becomes 1M.
  const { size, letter } = scales.find(({ size }) => Math.abs(value) >= size * 0.9995) ?? scales[2]
  const scaled = value / size
  return groupDigits(scaled.toFixed(Math.abs(scaled) < 99.95 ? 1 : 0).replace(/\.0$/, '')) + letter
}

/** Text of a count badge, at most `99+`. */
export const badge = (count: number): string => (count > 99 ? '99+' : String(count))

/** `86%`; `0%` when the total is 0. */
export const percent = (part: number, total: number): string => `${total > 0 ? Math.round((part / total) * 100) : 0}%`
