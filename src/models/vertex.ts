/**
 * Names of other makers' models on Vertex AI.
 * https://cloud.google.com/vertex-ai/generative-ai/docs/partner-models/use-partner-models (read 2026-11)
 */

/** @returns the makers whose APIs serve a model; undefined for Google's own models */
export function vertexPartnerOf(model: string): 'claude' | 'mistral' | 'open' | undefined {
  if (/^(?:anthropic\/)?claude/i.test(model)) return 'claude'
  if (/^(?:mistralai\/)?(?:mistral|ministral|mixtral|codestral|magistral)/i.test(model)) return 'mistral'
  return model.includes('/') || vertexPublisherOf(model) || /llama/i.test(model) ? 'open' : undefined
}

/** Publishers of the models that OpenAI's address serves, for names without one. */
const publishers: [name: RegExp, publisher: string][] = [
  [/^llama/i, 'meta'],
  [/^deepseek/i, 'deepseek-ai'],
  [/^qwen/i, 'qwen'],
  [/^gpt-oss/i, 'openai'],
  [/^kimi/i, 'moonshotai'],
  [/^minimax/i, 'minimaxai'],
  [/^glm/i, 'zai-org'],
  [/^grok/i, 'xai'],
]

/** @returns undefined for a name that has its publisher, and for Google's own models */
export const vertexPublisherOf = (model: string): string | undefined =>
  publishers.find(([name]) => name.test(model))?.[1]

/** Ids that do not follow from the name. */
const claudeIds = new Map(
  Object.entries({
    'claude-3-5-sonnet-20241022': 'claude-3-5-sonnet-v2@20241022',
    'claude-sonnet-4-0': 'claude-sonnet-4@20250514',
    'claude-opus-4-0': 'claude-opus-4@20250514',
    'claude-opus-4-1': 'claude-opus-4-1@20250805',
    'claude-opus-4-5': 'claude-opus-4-5@20251101',
    'claude-sonnet-4-5': 'claude-sonnet-4-5@20250929',
    'claude-haiku-4-5': 'claude-haiku-4-5@20251001',
  }),
)

/** The date of a version stands behind an `@`; models since 4.6 have none. */
export function vertexClaudeId(model: string): string {
  const name = model.replace(/^anthropic\//, '')
  return claudeIds.get(name) ?? name.replace(/-(\d{8})$/, '@$1')
}
