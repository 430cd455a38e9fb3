import { type Adapt, effortIn } from '../adapter.ts'
import type { Json } from '../codec.ts'

export const adapt: Adapt = out => {
  const { model, effort } = effortIn(out.model)
  if (!effort) return out
  return { model, body: { ...out.body, model, reasoning: { ...(out.body.reasoning as Json | null), effort } } }
}
