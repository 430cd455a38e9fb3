/** Limits of the relay, and how a call ends. */

/** Header that each gateway on the way of a call adds itself to; it reveals loops. */
export const HOP_HEADER = 'x-tollgate-hop'

/** Levels of nesting in a request body. */
export const DEPTH_MAX = 128

/** Objects and lists in a request body: reading more would delay every other call of the process. */
export const PIECES_MAX = 100_000

/** Output tokens reserved for a request without a limit, and by which the reservation of a stream is extended. */
export const OUTPUT_STEP = 1000

/** Bytes of an upstream response, and of a single event of a stream; larger ones end the call. */
export const ANSWER_MAX_BYTES = 64 * 1_048_576
export const EVENT_MAX_BYTES = 16 * 1_048_576

/** How a call ended; only `finished` calls are complete. */
export type EndReason = 'finished' | 'abandoned' | 'broken' | 'exhausted' | 'stopped'

/** Whether rate limits count the call as a success. A client that disconnects early has been served. */
export const wasServed = (reason: EndReason): boolean => reason !== 'broken' && reason !== 'stopped'
