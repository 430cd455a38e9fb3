/** The official clients of the four formats: each asks as its users do, and what it has understood is its answer. */
import Anthropic from '@anthropic-ai/sdk'
import { GoogleGenAI } from '@google/genai'
import type { ClientFormatName } from '../../../src/formats/canonical/chat.ts'
import type { Json } from '../../formats/wire/sse.ts'
import type { Client } from './client.ts'
import { openAiOf } from './openai-client.ts'

interface Speaker {
  whole(body: Json): Promise<unknown>
  /** The answer put together, or the events where its client leaves them as they are. */
  streamed(body: Json): Promise<unknown>
}

export const anthropicOf = ({ key, url }: Client) =>
  new Anthropic({ apiKey: `sk-${key}`, baseURL: url, maxRetries: 0, timeout: 120_000 })

export const googleOf = ({ key, url }: Client) =>
  new GoogleGenAI({ apiKey: `sk-${key}`, httpOptions: { baseUrl: url } })

/** Bodies are of all kinds here, those that the clients' types do not know too. */
type Loose = any

export const speakers: Record<ClientFormatName, (client: Client) => Speaker> = {
  'openai-chat': client => {
    const { completions } = openAiOf(client).chat
    return {
      whole: body => completions.create(body as Loose),
      streamed: body =>
        completions.stream({ ...body, stream_options: { include_usage: true } } as Loose).finalChatCompletion(),
    }
  },
  'openai-responses': client => {
    const { responses } = openAiOf(client)
    return {
      whole: body => responses.create(body as Loose),
      streamed: body => responses.stream(body as Loose).finalResponse(),
    }
  },
  anthropic: client => {
    const { messages } = anthropicOf(client)
    return {
      whole: body => messages.create(body as Loose),
      streamed: body => messages.stream(body as Loose).finalMessage(),
    }
  },
  gemini: client => {
    const { models } = googleOf(client)
    return {
      whole: body => models.generateContent(asGoogleAsks(body)),
      streamed: async body => Array.fromAsync(await models.generateContentStream(asGoogleAsks(body))),
    }
  },
}

/** Google's client has everything but the contents in one place. */
export const asGoogleAsks = ({ model, contents, generationConfig, ...config }: Loose): Loose => ({
  model,
  contents,
  config: { ...generationConfig, ...config },
})
