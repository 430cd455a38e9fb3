/** Bodies and events of POST /v2/chat as far as they are written and read here. https://docs.cohere.com/reference/chat (read 2026-11) */
import type { Json } from '../../pure/json.ts'

export type CohereBody = {
  model: string
  messages: CohereMessage[]
  stream?: boolean
  max_tokens?: number
  temperature?: number
  p?: number
  k?: number
  seed?: number
  frequency_penalty?: number
  presence_penalty?: number
  stop_sequences?: string[]
  response_format?: { type: 'json_object'; json_schema?: Json }
  documents?: CohereDocument[]
  tools?: CohereTool[]
  strict_tools?: boolean
  tool_choice?: 'NONE' | 'REQUIRED'
  thinking?: CohereThinking
}

export type CohereMessage =
  | { role: 'system'; content: string }
  | { role: 'user'; content: string | CohereContent[] }
  | { role: 'assistant'; content?: string; tool_plan?: string; tool_calls?: CohereCall[] }
  | { role: 'tool'; tool_call_id: string; content: string }

export type CohereContent =
  | { type: 'text'; text: string }
  | { type: 'image_url'; image_url: { url: string; detail?: string } }

export type CohereCall = { id: string; type: 'function'; function: { name: string; arguments: string } }

export type CohereDocument = { id: string; data: { title?: string; context?: string; text: string } }

export type CohereTool = { type: 'function'; function: { name: string; description?: string; parameters: Json } }

export type CohereThinking = { type: 'enabled'; token_budget?: number } | { type: 'disabled' }

export type CohereResponse = CohereEnd & { id: string; message: CohereAnswer }

export type CohereEnd = { finish_reason: string; error?: string; usage: CohereUsage }

export type CohereAnswer = {
  content?: string | CohereThought[]
  tool_plan?: string
  tool_calls?: CohereCall[]
  citations?: CohereCitation[]
}

export type CohereThought = { type: 'text' | 'thinking'; text?: string; thinking?: string }

export type CohereCitation = {
  start: number
  end: number
  type?: string
  content_index?: number
  sources: CohereSource[]
}

export type CohereSource = { document?: Json; tool_output?: Json }

export type CohereUsage = { tokens: CohereCounts; billed_units: CohereCounts; cached_tokens?: number }
export type CohereCounts = { input_tokens: number; output_tokens: number }

/** Each event has the fields of its type; one piece stands where a whole message has a list. */
export type CohereEvent = {
  type?: string
  id?: string
  index?: number
  delta?: Partial<CohereEnd> & { message?: Record<keyof CohereAnswer, unknown> }
}
