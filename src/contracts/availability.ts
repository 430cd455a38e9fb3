/** The public status page: how each model has served lately. */
export const AVAILABILITY_PATH = '/status'

/** Days of UTC that it shows, today included. */
export const AVAILABILITY_DAYS = 90

/** Shares of attempts that succeed, from which a span counts as good and as degraded. */
export const GOOD_SHARE = 0.98
export const DEGRADED_SHARE = 0.5

/** Attempts below which a share, or a median of their times, would say little. */
export const ATTEMPTS_MIN = 20

/** Attempts of an hour or day. */
export interface Outcomes {
  succeeded: number
  failed: number
}

export type Health = 'good' | 'degraded' | 'failing' | 'idle'

export function healthOf({ succeeded, failed }: Outcomes): Health {
  const attempts = succeeded + failed
  if (!attempts) return 'idle'
  const share = succeeded / attempts
  if (share >= GOOD_SHARE) return 'good'
  return share >= DEGRADED_SHARE ? 'degraded' : 'failing'
}

/** @returns the part that succeeded; undefined after fewer than `ATTEMPTS_MIN` attempts */
export function successOf({ succeeded, failed }: Outcomes): number | undefined {
  const attempts = succeeded + failed
  return attempts < ATTEMPTS_MIN ? undefined : succeeded / attempts
}

/** For example `99.2%`; rounds down, so only a full rate is `100%`. */
export const shareText = (share: number) => `${(Math.floor(share * 1000) / 10).toFixed(1).replace(/^100\.0$/, '100')}%`
