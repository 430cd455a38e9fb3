/**
 * Applies the operator's Gemini settings to an outgoing request: thinking suffixes, safety settings, API version, image
 * output. https://ai.google.dev/gemini-api/docs/thinking (read 2026-11)
 */
import type { Json } from '../../pure/json.ts'
import type { Reasoning } from '../canonical/chat.ts'
import { isObject } from '../json/checks.ts'
import { objectOf } from '../json/lenient-json.ts'
import type { ApplyModelSettings, GeminiSettings, OutgoingRequest } from '../translate/model-settings.ts'
import { fieldOf } from './names.ts'
import { writeThinking } from './thinking.ts'

export const applyModelSettings: ApplyModelSettings = (out, { gemini }) => {
  const { model, body } = gemini.thinking.enabled ? withThinking(out, gemini) : out
  const version = gemini.versions[model] ?? gemini.versions.default
  return { model, version, body: withImages(withSafety(body, gemini), model, gemini) }
}

const suffix = /^(.+)-(thinking|thinking-(\d+)|nothinking)$/

/**
 * Reads the suffixes `-thinking`, `-thinking-1024` (a budget in tokens) and `-nothinking`. A `thinkingConfig` in the
 * body wins over the suffix.
 */
function withThinking(out: OutgoingRequest, settings: GeminiSettings): OutgoingRequest {
  const [, model, mode, tokens] = suffix.exec(out.model) ?? []
  if (!model) return out
  const config = fieldOf(out.body, 'generationConfig')
  const fields = objectOf(config.value)
  if (fieldOf(fields, 'thinkingConfig').value) return { model, body: out.body }
  const limit = fieldOf(fields, 'maxOutputTokens').value
  const share = typeof limit === 'number' ? Math.trunc(limit * settings.thinking.share) : undefined
  const budget = mode === 'nothinking' ? 0 : tokens === undefined ? share : Number(tokens)
  const thinkingConfig = configOf({ show: budget !== 0, budget }, model, settings)
  return { model, body: thinkingConfig ? { ...out.body, [config.name]: { ...fields, thinkingConfig } } : out.body }
}

/**
 * Models that the operator lists take any budget; others get what is known to fit them. Without a budget the model
 * decides.
 */
function configOf(reasoning: Reasoning, model: string, { budgeted }: GeminiSettings): Json | undefined {
  const { show, budget } = reasoning
  const listed = budgeted.includes(model) ? { includeThoughts: show, thinkingBudget: budget } : undefined
  return listed ?? writeThinking({ model, reasoning })
}

const categories = ['HARASSMENT', 'HATE_SPEECH', 'SEXUALLY_EXPLICIT', 'DANGEROUS_CONTENT', 'CIVIC_INTEGRITY'].map(
  name => `HARM_CATEGORY_${name}`,
)

/** Adds the operator's thresholds for categories that the client does not set. */
function withSafety(body: Json, { safety }: GeminiSettings): Json {
  const { name, value } = fieldOf(body, 'safetySettings')
  const clientSettings = Array.isArray(value) ? value : []
  const added = categories.flatMap(category => {
    const threshold = safety[category] ?? safety.default
    const isSet = clientSettings.some(setting => isObject(setting) && setting.category === category)
    return threshold && !isSet ? [{ category, threshold }] : []
  })
  return added.length ? { ...body, [name]: [...clientSettings, ...added] } : body
}

function withImages(body: Json, model: string, { imagining }: GeminiSettings): Json {
  const { name, value } = fieldOf(body, 'generationConfig')
  const config = objectOf(value)
  if (!imagining.includes(model) || fieldOf(config, 'responseModalities').value) return body
  return { ...body, [name]: { ...config, responseModalities: ['TEXT', 'IMAGE'] } }
}
