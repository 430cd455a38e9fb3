/**
 * Applies what OpenAI's reasoning models require: the effort suffix, no sampling.
 * https://platform.openai.com/docs/guides/reasoning (read 2026-11)
 */
import { effortIn } from '../../models/effort.ts'
import { isReasoningModel } from '../../models/traits.ts'
import type { Json } from '../../pure/json.ts'
import { objectOf } from '../json/lenient-json.ts'
import { withoutSampling } from '../openai-shared.ts'
import type { ApplyModelSettings } from '../translate/model-settings.ts'

export const applyModelSettings: ApplyModelSettings = out => {
  const { model, effort } = effortIn(out.model)
  const body = effort ? { ...out.body, model, reasoning: { ...(out.body.reasoning as Json | null), effort } } : out.body
  const adapted = isReasoningModel(model) ? withoutSampling(body, model, objectOf(body.reasoning).effort) : body
  return adapted === out.body ? out : { model, body: adapted }
}
