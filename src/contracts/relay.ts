/** Limits and paths of the API that the relay serves. */

/** First segments of the API's paths. They have rate limits by token and user, and none by client address. */
export const RELAY_PREFIXES = [
  ...(['v1', 'v1beta', 'upload', 'hf', 'rerank', 'pg'] as const),
  ...(['suno', 'mj', 'kling', 'jimeng', 'callback'] as const),
] as const

/** Lists the marks of the gateways that a call has passed, so that a loop is refused. */
export const HOP_HEADER = 'x-tollgate-hop'

/** Stands before the group in the token name of calls that the playground makes. */
export const PLAYGROUND_PREFIX = 'playground-'

/** Tells a client the cost of a call in USD. */
export const COST_HEADER = 'x-tollgate-cost'

/** Id under which the upstream keeps a conversation; the client hands it back as `metadata.conversation_id`. */
export const CONVERSATION_HEADER = 'x-tollgate-conversation'

/** Output tokens that are reserved when the client sets no limit, and by which a stream's reservation grows. */
export const OUTPUT_STEP = 1000

/** Seconds for which an upstream is read on once the client has left, however long it thinks unseen. */
export const SETTLE_AFTER_LEAVE_MAX = 60

/** What is read of a stream once the client has left. */
export const SETTLE_AFTER_LEAVE_BYTES = 1_048_576

/** Sizes of a whole response and of one event of a stream; larger ones are refused. */
export const RESPONSE_MAX_BYTES = 64 * 1_048_576
export const EVENT_MAX_BYTES = 16 * 1_048_576

/** What is kept at most of responses in the background. */
export const BACKGROUND_MAX = {
  user: { responses: 2000, bytes: 64 * 1_048_576 },
  installation: { responses: 50_000, bytes: 1024 * 1_048_576 },
}

/** How a call ended; all but `finished` are partial. */
export type EndReason = 'finished' | 'abandoned' | 'broken' | 'exhausted' | 'stopped'

/** Whether rate limits count the call as a success: also when the client disconnects early. */
export const wasServed = (reason: EndReason): boolean => reason !== 'broken' && reason !== 'stopped'
