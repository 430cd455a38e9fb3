/** Bodies of a Wenxin v1 chat as far as they are written and read here. https://cloud.baidu.com/doc/WENXINWORKSHOP/s/jlil56u11 (read 2026-11) */
import type { Json } from '../../pure/json.ts'

export type WenxinBody = {
  messages: WenxinMessage[]
  system?: string
  stream?: boolean
  temperature?: number
  top_p?: number
  penalty_score?: number
  max_output_tokens?: number
  stop?: string[]
  response_format?: 'text' | 'json_object'
  functions?: WenxinFunction[]
  tool_choice?: { type: 'function'; function: { name: string } }
  user_id?: string
}

export type WenxinMessage = {
  role: 'user' | 'assistant' | 'function'
  content: string
  name?: string
  function_call?: { name: string; arguments: string }
}

export type WenxinFunction = { name: string; description: string; parameters: Json }

/** A whole response, or an event of a stream. */
export type WenxinResponse = {
  id: string
  created: number
  result: string
  function_call?: { name: string; arguments: string; thoughts?: string }
  usage: WenxinUsage
  finish_reason?: string
  is_truncated?: boolean
  need_clear_history?: boolean
  is_end?: boolean
}

export type WenxinUsage = { prompt_tokens: number; completion_tokens?: number; total_tokens: number }

export type WenxinErrorBody = { error_code: number; error_msg: string }
