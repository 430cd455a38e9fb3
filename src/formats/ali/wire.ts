/** Bodies of a generation as far as they are written and read here. https://help.aliyun.com/zh/model-studio/qwen-api-reference (read 2026-11) */
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

/** A whole response, or an event of a stream. The parts of a choice are OpenAI's. */
export type GenerationResponse = { request_id: string; output: GenerationOutput; usage: GenerationUsage }

/** With `result_format` text, one choice stands in the output itself. */
export type GenerationOutput = { choices?: GenerationChoice[]; text?: string; finish_reason?: string }

export type GenerationChoice = { index?: number; message: Record<string, unknown>; finish_reason: string }

export type GenerationUsage = {
  input_tokens: number
  output_tokens: number
  image_tokens?: number
  input_tokens_details?: Record<string, number>
  prompt_tokens_details?: Record<string, number>
  output_tokens_details?: Record<string, number>
}
