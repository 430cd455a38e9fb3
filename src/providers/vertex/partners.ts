/**
 * Models of other makers on Vertex AI: Claude and Mistral in their own formats, the others as OpenAI chats.
 * https://cloud.google.com/vertex-ai/generative-ai/docs/partner-models/use-partner-models (read 2026-11)
 */
import { anthropic as messages } from '../../formats/anthropic/index.ts'
import { entryOf } from '../../formats/json/lenient-json.ts'
import { openAiChat } from '../../formats/openai-chat/index.ts'
import type { Json } from '../../pure/json.ts'
import { cloudHeaders } from '../kit/anthropic-headers.ts'
import { hostedBy } from '../kit/hosted.ts'
import { without, withSystemRole } from '../kit/json-edits.ts'
import type { Provider, UpstreamApi } from '../kit/provider.ts'
import { mistral } from '../mistral.ts'
import { methodUrl, openChatUrl } from './address.ts'

/** In the body, where Anthropic's own API has a header. https://docs.anthropic.com/en/api/claude-on-vertex-ai (read 2026-11) */
const ANTHROPIC_VERSION = 'vertex-2023-10-16'

const rawUrl =
  (publisher: string, idOf: (model: string) => string): UpstreamApi['url'] =>
  (config, model, streamed) =>
    methodUrl(config, { publisher, model, id: idOf(model), method: streamed ? 'streamRawPredict' : 'rawPredict' })

export const claudeApis: Provider['apis'] = {
  chat: {
    format: messages,
    hosted: model => (hostedBy(messages, model).includes('web_search') ? ['web_search'] : []),
    url: rawUrl('anthropic', claudeId),
    rewriteRequest: body => ({ anthropic_version: ANTHROPIC_VERSION, ...without(body, 'model') }),
    absorbHeaders: withVersion,
    fetches_no_urls: true,
  },
}

/** The betas stay a header. */
function withVersion(body: Json, own: Record<string, string>, client: Record<string, string>) {
  const { version, betas, others } = cloudHeaders(own, client)
  return {
    body: version ? { ...body, anthropic_version: version } : body,
    headers: betas.length ? { ...others, 'anthropic-beta': betas.join(',') } : others,
  }
}

/** Ids that do not follow from the name. */
const claudeIds: Record<string, string> = {
  'claude-3-5-sonnet-20241022': 'claude-3-5-sonnet-v2@20241022',
  'claude-sonnet-4-0': 'claude-sonnet-4@20250514',
  'claude-opus-4-0': 'claude-opus-4@20250514',
  'claude-opus-4-1': 'claude-opus-4-1@20250805',
  'claude-opus-4-5': 'claude-opus-4-5@20251101',
  'claude-sonnet-4-5': 'claude-sonnet-4-5@20250929',
  'claude-haiku-4-5': 'claude-haiku-4-5@20251001',
}

/** The date of a version stands behind an `@`; models since 4.6 have none. */
function claudeId(model: string): string {
  const name = model.replace(/^anthropic\//, '')
  return entryOf(claudeIds, name) ?? name.replace(/-(\d{8})$/, '@$1')
}

export const mistralApis: Provider['apis'] = {
  chat: { ...mistral.apis.chat!, url: rawUrl('mistralai', model => model.replace(/^mistralai\//, '')) },
}

export const openApis: Provider['apis'] = {
  chat: {
    format: openAiChat,
    url: openChatUrl,
    rewriteRequest: body => withPublisher(withSystemRole(body)),
  },
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

const publisherOf = (model: string) => publishers.find(([name]) => name.test(model))?.[1]

function withPublisher(body: Json): Json {
  const publisher = publisherOf(String(body.model))
  return publisher ? { ...body, model: `${publisher}/${body.model}` } : body
}

/** @returns the APIs that serve a model; undefined for Google's own models */
export function partnerApisOf(model: string): 'claude' | 'mistral' | 'open' | undefined {
  if (/^(?:anthropic\/)?claude/i.test(model)) return 'claude'
  if (/^(?:mistralai\/)?(?:mistral|ministral|mixtral|codestral|magistral)/i.test(model)) return 'mistral'
  return model.includes('/') || publisherOf(model) || /llama/i.test(model) ? 'open' : undefined
}
