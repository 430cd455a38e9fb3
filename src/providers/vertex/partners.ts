/**
 * Models of other makers on Vertex AI: Claude and Mistral in their own formats, the others as OpenAI chats.
 * https://cloud.google.com/vertex-ai/generative-ai/docs/partner-models/use-partner-models (read 2026-11)
 */
import { anthropic as messages } from '../../formats/anthropic/index.ts'
import { openAiChat } from '../../formats/openai-chat/index.ts'
import { vertexClaudeId, vertexPublisherOf } from '../../models/vertex.ts'
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
    url: rawUrl('anthropic', vertexClaudeId),
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

function withPublisher(body: Json): Json {
  const publisher = vertexPublisherOf(String(body.model))
  return publisher ? { ...body, model: `${publisher}/${body.model}` } : body
}
