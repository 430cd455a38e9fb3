/** Limits in outgoing requests. */

/** @param value a limit of a request; anything but a positive number is none. @returns the lower of both */
export const lowered = (value: unknown, limit: number): number =>
  typeof value === 'number' && value > 0 ? Math.min(value, limit) : limit
