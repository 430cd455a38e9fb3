import type { Adapt } from '../adapter.ts'
import { effortIn } from '../effort.ts'
import type { Json } from '../json.ts'
import { objectOf } from '../loose.ts'
import { isReasoningModel, withoutSampling } from '../openai-models.ts'

export const adapt: Adapt = out => {
  const { model, effort } = effortIn(out.model)
  const body = effort ? { ...out.body, model, reasoning: { ...(out.body.reasoning as Json | null), effort } } : out.body
  const fitted = isReasoningModel(model) ? withoutSampling(body, model, objectOf(body.reasoning).effort) : body
  return fitted === out.body ? out : { model, body: fitted }
}
