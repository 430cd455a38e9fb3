/** The body of a Wenxin v1 chat as it is written here. https://cloud.baidu.com/doc/WENXINWORKSHOP/s/jlil56u11 (read 2026-11) */
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
