import type { Request } from './canonical.ts'
import type { Ask } from './codec.ts'

/** What the gateway must know of a request, from the very values that are sent on. */
export const askOf = ({ model, stream, max_output, choices = 1, wants_usage }: Request): Ask => ({
  model,
  stream,
  max_output: max_output || undefined,
  choices,
  wants_usage,
})
