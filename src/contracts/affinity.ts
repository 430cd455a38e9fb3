/** How much of their prompts conversations read from caches, with and without a channel of their own. */
import { z } from 'zod'

const sums = z.object({
  calls: z.int(),
  prompt_tokens: z.int(),
  cache_read_tokens: z.int().describe('A part of `prompt_tokens`.'),
})
export type AffinitySums = z.output<typeof sums>

export const AffinityFigures = z.object({
  kept: sums,
  sample: sums.describe('Conversations whose calls are shared by weight, for comparison.'),
  saved: z.int().optional().describe('Quota that affinity has saved; absent while the sample has too few calls.'),
})
export type AffinityFigures = z.output<typeof AffinityFigures>
