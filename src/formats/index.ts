/** The list of the chat formats: a new one has its folder, a row here, and a provider. */
import { anthropic } from './anthropic/index.ts'
import type { ChatFormat } from './format.ts'
import { gemini } from './gemini/index.ts'
import { openAiChat } from './openai-chat/index.ts'
import { openAiResponses } from './openai-responses/index.ts'

/** The formats of clients; each of them is also one of upstreams. */
export const formats = ['openai-chat', 'openai-responses', 'anthropic', 'gemini'] as const
export type ClientFormatName = (typeof formats)[number]

/** The formats of upstreams alone. */
type UpstreamFormatName =
  | 'ali'
  | 'bedrock'
  | 'cohere'
  | 'coze'
  | 'dify'
  | 'library'
  | 'palm'
  | 'replicate'
  | 'spark'
  | 'tencent'
  | 'wenxin'
  | 'zhipu-v3'
export type FormatName = ClientFormatName | UpstreamFormatName

export const chatFormats: Record<ClientFormatName, ChatFormat> = {
  'openai-chat': openAiChat,
  'openai-responses': openAiResponses,
  anthropic,
  gemini,
}

/** Providers whose file ids and signatures only they can open. */
export type Owner = 'openai' | 'anthropic' | 'gemini' | 'bedrock'
