import type { Adapt, GeminiSettings, Outbound } from '../adapter.ts'
import type { Json } from '../codec.ts'

export const adapt: Adapt = (out, { gemini }) => {
  const { model, body } = gemini.thinking.enabled ? withThinking(out, gemini) : out
  const version = gemini.versions[model] ?? gemini.versions.default
  return { model, version, body: withPictures(withSafety(body, gemini), model, gemini) }
}

const suffix = /^(.+)-(thinking|thinking-(\d+)|nothinking)$/
/** No model takes more. */
const BUDGET_MAX = 32_768

/** `-thinking`, `-thinking-1024`, `-nothinking`; what the body says about thinking goes before the name. */
function withThinking(out: Outbound, { thinking, budgeted }: GeminiSettings): Outbound {
  const [, model, word, tokens] = suffix.exec(out.model) ?? []
  if (!model) return out
  const config = fieldOf(out.body, 'generationConfig')
  const said = (config.value ?? {}) as Json
  if (fieldOf(said, 'thinkingConfig').value) return { model, body: out.body }
  const includeThoughts = word !== 'nothinking'
  const thinkingBudget = budgeted.includes(model) ? budgetOf(word!, tokens, said, thinking.share) : undefined
  const thinkingConfig = { includeThoughts, ...(thinkingBudget !== undefined && { thinkingBudget }) }
  return { model, body: { ...out.body, [config.name]: { ...said, thinkingConfig } } }
}

/** Gemini takes every name in two spellings. */
function fieldOf(object: Json, name: string): { name: string; value: unknown } {
  const snake = name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)
  return snake in object ? { name: snake, value: object[snake] } : { name, value: object[name] }
}

/** @returns undefined where the model is to decide: a share of no limit is no number. */
function budgetOf(word: string, tokens: string | undefined, config: Json, share: number): number | undefined {
  if (word === 'nothinking') return 0
  if (tokens !== undefined) return Math.min(Number(tokens), BUDGET_MAX)
  const limit = fieldOf(config, 'maxOutputTokens').value
  return typeof limit === 'number' ? Math.min(Math.trunc(limit * share), BUDGET_MAX) : undefined
}

const categories = ['HARASSMENT', 'HATE_SPEECH', 'SEXUALLY_EXPLICIT', 'DANGEROUS_CONTENT', 'CIVIC_INTEGRITY'].map(
  name => `HARM_CATEGORY_${name}`,
)

/** Thresholds for the categories that the caller says nothing about. */
function withSafety(body: Json, { safety }: GeminiSettings): Json {
  const { name, value } = fieldOf(body, 'safetySettings')
  const theirs = Array.isArray(value) ? (value as Json[]) : []
  const ours = categories.flatMap(category => {
    const threshold = safety[category] ?? safety.default
    const said = theirs.some(setting => setting.category === category)
    return threshold && !said ? [{ category, threshold }] : []
  })
  return ours.length ? { ...body, [name]: [...theirs, ...ours] } : body
}

function withPictures(body: Json, model: string, { imagining }: GeminiSettings): Json {
  const { name, value } = fieldOf(body, 'generationConfig')
  const config = (value ?? {}) as Json
  if (!imagining.includes(model) || fieldOf(config, 'responseModalities').value) return body
  return { ...body, [name]: { ...config, responseModalities: ['TEXT', 'IMAGE'] } }
}
