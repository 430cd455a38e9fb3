/** The body of a generation as it is written here. https://help.aliyun.com/zh/model-studio/qwen-api-reference (read 2026-11) */
import type { OpenAiFunctionCall, OpenAiNamedTool, OpenAiTool } from '../openai-chat/wire.ts'

export type GenerationBody = {
  model: string
  input: { messages: GenerationMessage[] }
  parameters: GenerationParameters
}

export type GenerationParameters = {
  result_format: 'message'
  incremental_output?: boolean
  max_tokens?: number
  temperature?: number
  top_p?: number
  top_k?: number
  seed?: number
  presence_penalty?: number
  stop?: string[]
  tools?: OpenAiTool[]
  tool_choice?: 'none' | 'auto' | OpenAiNamedTool
  parallel_tool_calls?: boolean
  enable_thinking?: boolean
  thinking_budget?: number
  response_format?: { type: 'json_object' }
  enable_search?: boolean
}

export type GenerationMessage = {
  role: 'system' | 'user' | 'assistant' | 'tool'
  content: string | GenerationPart[]
  tool_calls?: OpenAiFunctionCall[]
  tool_call_id?: string
}

/** Each has one of the fields. */
export type GenerationPart = { text?: string; image?: string; audio?: string; video?: string; file?: string }
