/** Requests to OpenAI's reasoning models. https://platform.openai.com/docs/guides/reasoning (read 2026-11) */
import { effortIn } from '../../models/effort.ts'
import { isReasoningModel, withoutSampling } from '../../models/openai.ts'
import type { Json } from '../../pure/json.ts'
import { objectOf } from '../json/lenient-json.ts'
import type { ApplyModelSettings } from '../translate/model-settings.ts'

export const applyModelSettings: ApplyModelSettings = out => {
  const { model, effort } = effortIn(out.model)
  const body = effort ? { ...out.body, model, reasoning: { ...(out.body.reasoning as Json | null), effort } } : out.body
  const accepted = isReasoningModel(model) ? withoutSampling(body, model, objectOf(body.reasoning).effort) : body
  return accepted === out.body ? out : { model, body: accepted }
}
