/** When a repetition may succeed, as makers hint in headers and in words. */
import { now_ms } from '../../process/clock.ts'

const MS_PER_SECOND = 1000
/** Longer hints are mistakes. */
const HINT_MAX_MS = 1_000_000 * MS_PER_SECOND

/** Milliseconds. @returns undefined without a hint */
export function hintInHeaders(headers: Headers): number | undefined {
  const ms = Number(headers.get('retry-after-ms') ?? 0)
  return sound(ms) ?? sound(timeOf(headers.get('retry-after') ?? '')) ?? sound(endOfLimit(headers))
}

/** "Please try again in 1.2s", "Please retry in 34.074824224s", "Please retry after 6 seconds" */
export function hintInText(message: string): number | undefined {
  const [, text = ''] = hint.exec(message) ?? []
  return sound(durationOf(text))
}

const hint = /(?:try again|retry)(?: your request)? (?:in|after) ((?:\d+(?:\.\d+)?\s?(?:ms|milli|h|m|s)[a-z]*\s?)+)/i

const sound = (ms: number | undefined): number | undefined =>
  ms !== undefined && ms > 0 && ms <= HINT_MAX_MS ? Math.ceil(ms) : undefined

/**
 * The time at which the limit that is used up begins again. Each limit has a header for what remains and one for its end.
 * https://platform.openai.com/docs/guides/rate-limits https://docs.claude.com/en/api/rate-limits
 * https://console.groq.com/docs/rate-limits https://openrouter.ai/docs/api-reference/limits (read 2026-11)
 */
/** Milliseconds until a limit begins again of which nothing remains. @returns undefined while all have room, or for what cannot be true */
export function endOfSpentLimit(headers: Headers): number | undefined {
  const ms = endOfLimit(headers, remaining => remaining === 0)
  return ms !== undefined && ms > 0 && ms <= RESET_MAX_MS ? ms : undefined
}

/** Makers begin their limits again within a day: a later reset is a mistake. */
const RESET_MAX_MS = 86_400_000

function endOfLimit(headers: Headers, isSpent = (remaining: number) => remaining <= 0): number | undefined {
  let end: number | undefined
  for (const [name, value] of headers) {
    if (!/rate-?limit.*reset/.test(name)) continue
    const remaining = headers.get(name.replace('reset', 'remaining'))
    if (remaining && isSpent(Number(remaining))) end = Math.max(end ?? 0, timeOf(value) ?? 0)
  }
  return end
}

/** Above this a number of seconds is a date. */
const SECONDS_MAX = 1_000_000_000
/** Above this it counts milliseconds since 1970. */
const UNIX_SECONDS_MAX = 1_000_000_000_000

/** @param text seconds, a duration such as `6m0s`, unix seconds or milliseconds, or a date */
function timeOf(text: string): number | undefined {
  if (/^\d+(?:\.\d+)?$/.test(text)) {
    const count = Number(text)
    if (count < SECONDS_MAX) return count * MS_PER_SECOND
    return (count < UNIX_SECONDS_MAX ? count * MS_PER_SECOND : count) - now_ms()
  }
  const duration = /^\d/.test(text) && /[hms]$/.test(text) ? durationOf(text) : undefined
  return duration ?? Date.parse(text) - now_ms()
}

const units: Record<string, number> = { h: 3_600_000, m: 60_000, s: 1000, ms: 1, mi: 1 }

/** @returns undefined for a text without one */
function durationOf(text: string): number | undefined {
  const parts = [...text.toLowerCase().matchAll(/(\d+(?:\.\d+)?)\s?(ms|mi(?=lli)|[hms])/g)]
  return parts.length ? parts.reduce((sum, [, count, unit]) => sum + Number(count) * units[unit!]!, 0) : undefined
}
