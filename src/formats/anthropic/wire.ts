/**
 * Bodies and events of POST /v1/messages as far as they are written here.
 * https://docs.anthropic.com/en/api/messages and https://docs.anthropic.com/en/api/messages-streaming (read 2026-11)
 */
import type { Json } from '../../pure/json.ts'
import type { WrittenPlace } from '../canonical/search-scope.ts'

export type AnthropicBody = {
  model: string
  max_tokens: number
  messages: AnthropicMessage[]
  system?: string | AnthropicText[]
  stream?: boolean
  temperature?: number
  top_p?: number
  top_k?: number
  stop_sequences?: string[]
  tools?: AnthropicTool[]
  tool_choice?: AnthropicToolChoice
  thinking?: AnthropicThinking
  output_config?: AnthropicOutput
  metadata?: { user_id: string }
}

export type AnthropicMessage = { role: 'user' | 'assistant'; content: string | AnthropicBlock[] }

type CacheControl = { cache_control?: { type: 'ephemeral'; ttl?: '1h' } }

export type AnthropicText = CacheControl & { type: 'text'; text: string; citations?: AnthropicCitation[] }

export type AnthropicBlock =
  | AnthropicText
  | AnthropicThought
  | AnthropicCall
  | (CacheControl & { type: 'image'; source: AnthropicSource })
  | (CacheControl & {
      type: 'document'
      source: AnthropicSource
      title?: string
      context?: string
      citations?: { enabled: boolean }
    })
  | (CacheControl & {
      type: 'tool_result'
      tool_use_id: string
      content: string | AnthropicBlock[]
      is_error?: boolean
    })

export type AnthropicCall = CacheControl & { type: 'tool_use'; id: string; name: string; input: Json }

export type AnthropicThought =
  | { type: 'thinking'; thinking: string; signature: string }
  | { type: 'redacted_thinking'; data: string }

export type AnthropicSource =
  | { type: 'url'; url: string }
  | { type: 'base64' | 'text'; media_type: string; data: string }
  | { type: 'file'; file_id: string }

export type AnthropicCitation = {
  type: 'web_search_result_location'
  url: string
  title: string
  cited_text: string
  encrypted_index: string
}

export type AnthropicTool =
  | (CacheControl & { name: string; description?: string; input_schema: Json; strict?: boolean })
  | { type: 'code_execution_20250825'; name: 'code_execution' }
  | {
      type: 'web_search_20250305'
      name: 'web_search'
      allowed_domains?: string[]
      user_location?: WrittenPlace
    }

export type AnthropicToolChoice = {
  type: 'auto' | 'any' | 'tool' | 'none'
  name?: string
  disable_parallel_tool_use?: boolean
}

export type AnthropicThinking =
  | { type: 'enabled'; budget_tokens: number }
  | { type: 'adaptive'; display?: 'omitted' }
  | { type: 'disabled' }

export type AnthropicOutput = { effort?: string; format?: { type: 'json_schema'; schema: Json } }

export type AnthropicHead = { id: string; type: 'message'; role: 'assistant'; model: string }

export type AnthropicResponse = AnthropicHead &
  AnthropicEnd & {
    content: AnthropicBlock[]
    usage: AnthropicUsage
  }

export type AnthropicEnd = { stop_reason: string | null; stop_sequence: string | null }

export type AnthropicUsage = {
  input_tokens: number
  cache_creation_input_tokens: number
  cache_read_input_tokens: number
  cache_creation: { ephemeral_5m_input_tokens: number; ephemeral_1h_input_tokens: number }
  output_tokens: number
  output_tokens_details?: { thinking_tokens: number }
  server_tool_use?: { web_search_requests: number; web_fetch_requests: number }
}

export type AnthropicErrorBody = { type: 'error'; error: { type: string; message: string; details?: Json } }

export type AnthropicEvent =
  | { type: 'message_start'; message: AnthropicResponse }
  | { type: 'content_block_start'; index: number; content_block: AnthropicBlock }
  | { type: 'content_block_delta'; index: number; delta: AnthropicDelta }
  | { type: 'content_block_stop'; index: number }
  | { type: 'message_delta'; delta: AnthropicEnd; usage: AnthropicUsage }
  | { type: 'message_stop' }

/** Texts and thoughts are written from prepared pieces. */
export type AnthropicDelta =
  | { type: 'input_json_delta'; partial_json: string }
  | { type: 'citations_delta'; citation: AnthropicCitation }
  | { type: 'signature_delta'; signature: string }
