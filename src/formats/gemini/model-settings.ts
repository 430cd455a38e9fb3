/** Thinking suffixes, API versions, safety thresholds and image output of Gemini models. https://ai.google.dev/gemini-api/docs/thinking (read 2026-11) */
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
  return { model, version, body: withPictures(withSafety(body, gemini), model, gemini) }
}

const suffix = /^(.+)-(thinking|thinking-(\d+)|nothinking)$/

/** `-thinking`, `-thinking-1024`, `-nothinking`. A thinking config of the body counts before the suffix. */
function withThinking(out: OutgoingRequest, settings: GeminiSettings): OutgoingRequest {
  const [, model, word, tokens] = suffix.exec(out.model) ?? []
  if (!model) return out
  const config = fieldOf(out.body, 'generationConfig')
  const stated = objectOf(config.value)
  if (fieldOf(stated, 'thinkingConfig').value) return { model, body: out.body }
  const limit = fieldOf(stated, 'maxOutputTokens').value
  const share = typeof limit === 'number' ? Math.trunc(limit * settings.thinking.share) : undefined
  const budget = word === 'nothinking' ? 0 : tokens === undefined ? share : Number(tokens)
  const thinkingConfig = configOf({ show: budget !== 0, budget }, model, settings)
  return { model, body: thinkingConfig ? { ...out.body, [config.name]: { ...stated, thinkingConfig } } : out.body }
}

/** Without a budget the model decides. Models in the operator's list accept any budget; others get what their traits allow. */
function configOf(reasoning: Reasoning, model: string, { budgeted }: GeminiSettings): Json | undefined {
  const { show, budget } = reasoning
  const asListed = budgeted.includes(model) ? { includeThoughts: show, thinkingBudget: budget } : undefined
  return asListed ?? writeThinking({ model, reasoning })
}

const categories = ['HARASSMENT', 'HATE_SPEECH', 'SEXUALLY_EXPLICIT', 'DANGEROUS_CONTENT', 'CIVIC_INTEGRITY'].map(
  name => `HARM_CATEGORY_${name}`,
)

/** Adds thresholds for the categories that the client does not set. */
function withSafety(body: Json, { safety }: GeminiSettings): Json {
  const { name, value } = fieldOf(body, 'safetySettings')
  const theirs = Array.isArray(value) ? value : []
  const ours = categories.flatMap(category => {
    const threshold = safety[category] ?? safety.default
    const stated = theirs.some(setting => isObject(setting) && setting.category === category)
    return threshold && !stated ? [{ category, threshold }] : []
  })
  return ours.length ? { ...body, [name]: [...theirs, ...ours] } : body
}

function withPictures(body: Json, model: string, { imagining }: GeminiSettings): Json {
  const { name, value } = fieldOf(body, 'generationConfig')
  const config = objectOf(value)
  if (!imagining.includes(model) || fieldOf(config, 'responseModalities').value) return body
  return { ...body, [name]: { ...config, responseModalities: ['TEXT', 'IMAGE'] } }
}
