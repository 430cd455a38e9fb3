/** What a figure's size means. Each meaning has a shape and a word as well as a colour; the parts draw them. */

export type TagColour = 'green' | 'blue' | 'orange' | 'red'
/** Round and green, round and lime, a diamond, a square, a ring. */
export type Pace = 'ok' | 'lime' | 'slow' | 'bad' | 'none'

/** Of a group's ratio. */
export function ratioColour(ratio: number): TagColour {
  if (ratio > 5) return 'red'
  if (ratio > 3) return 'orange'
  return ratio > 1 ? 'blue' : 'green'
}

/** Of a whole call. */
export function durationPace(seconds: number): Pace {
  if (seconds < 101) return 'ok'
  return seconds < 300 ? 'slow' : 'bad'
}

/** Of a stream's first token. */
export function firstTokenPace(seconds: number): Pace {
  if (seconds < 3) return 'ok'
  return seconds < 10 ? 'slow' : 'bad'
}

/** Of a channel test; 0 is a channel that was never tested. */
export function responsePace(seconds: number): Pace {
  if (seconds === 0) return 'none'
  if (seconds <= 1) return 'ok'
  if (seconds <= 3) return 'lime'
  return seconds <= 5 ? 'slow' : 'bad'
}
