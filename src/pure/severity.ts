/** Thresholds of ratios and durations, as tag colours and severities. The components give each a shape, too. */

export type TagColour = 'green' | 'blue' | 'orange' | 'red'
/** Severity of a duration; `none` is a missing measurement. */
export type Pace = 'ok' | 'lime' | 'slow' | 'bad' | 'none'

/** Colour of a group ratio. */
export function ratioColour(ratio: number): TagColour {
  if (ratio > 5) return 'red'
  if (ratio > 3) return 'orange'
  return ratio > 1 ? 'blue' : 'green'
}

/** Severity of a call's duration. */
export function durationPace(seconds: number): Pace {
  if (seconds < 101) return 'ok'
  return seconds < 300 ? 'slow' : 'bad'
}

/** Severity of the time to a stream's first token. */
export function firstTokenPace(seconds: number): Pace {
  if (seconds < 3) return 'ok'
  return seconds < 10 ? 'slow' : 'bad'
}

/** Severity of a channel test's response time; 0 means never tested. */
export function responsePace(seconds: number): Pace {
  if (seconds === 0) return 'none'
  if (seconds <= 1) return 'ok'
  if (seconds <= 3) return 'lime'
  return seconds <= 5 ? 'slow' : 'bad'
}

/** Severity of the time that a drawing took. */
export const drawingPace = (seconds: number): Pace => (seconds > 60 ? 'bad' : 'ok')
