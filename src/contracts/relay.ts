/** What the relay allows itself and its callers. */

/** Header in which gateways that pass a call on leave their mark, so that a loop is noticed. */
export const HOP_HEADER = 'x-tollgate-hop'

/** Nesting of a body beyond which no request makes sense. */
export const DEPTH_MAX = 128

/** Objects and lists in a body: no conversation has as many, and to go through more would hold up everyone else. */
export const PIECES_MAX = 100_000

/** Output tokens that are reserved for a caller who names no limit, and by which a stream's reservation grows. */
export const OUTPUT_STEP = 1000

/** A whole answer larger than this is refused; so is a single event of a stream. */
export const ANSWER_MAX_BYTES = 64 * 1_048_576
export const EVENT_MAX_BYTES = 16 * 1_048_576

/** How a call ended: the last four are partial. */
export type EndReason = 'finished' | 'abandoned' | 'broken' | 'exhausted' | 'stopped'

/** Whether limits count it as a success: who leaves early has been served nonetheless. */
export const wasServed = (ending: EndReason): boolean => ending !== 'broken' && ending !== 'stopped'
