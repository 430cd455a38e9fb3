/**
 * Bodies and events of POST /v1/responses as far as they are written here.
 * https://platform.openai.com/docs/api-reference/responses and
 * https://platform.openai.com/docs/api-reference/responses-streaming (read 2026-11)
 */
import type { Json } from '../../pure/json.ts'
import type { WrittenPlace } from '../canonical/search-scope.ts'
import type { OpenAiFile, OpenAiLogprob, OpenAiRecording } from '../openai-chat/wire.ts'

export type ResponsesBody = ResponsesSettings & { input: ResponsesInput[] }

/** What a response repeats of its request. */
export type ResponsesSettings = {
  model: string
  instructions?: string
  stream?: boolean
  store?: boolean
  metadata?: unknown
  truncation?: unknown
  max_output_tokens?: number
  temperature?: number
  top_p?: number
  top_logprobs?: number
  tools?: ResponsesTool[]
  tool_choice?: ResponsesToolChoice
  parallel_tool_calls?: boolean
  reasoning?: ResponsesReasoning
  text?: { format?: ResponsesOutput; verbosity?: string }
  user?: string
  include?: string[]
}

export type ResponsesReasoning = { effort?: string; summary?: string }

export type ResponsesOutput =
  | { type: 'text' | 'json_object' }
  | { type: 'json_schema'; name: string; description?: string; schema: Json; strict?: true }

export type ResponsesTool = ResponsesFunction | ResponsesHosted

export type ResponsesFunction = {
  type: 'function'
  name: string
  description?: string
  parameters: Json
  strict?: boolean
}

export type ResponsesHosted =
  | { type: 'code_interpreter'; container: { type: 'auto' } }
  | {
      type: 'web_search'
      filters?: { allowed_domains: string[] }
      search_context_size?: string
      user_location?: WrittenPlace
    }

export type ResponsesToolChoice =
  | string
  | ResponsesChosenTool
  | { type: 'allowed_tools'; mode: 'required' | 'auto'; tools: ResponsesChosenTool[] }

export type ResponsesChosenTool = { type: string; name?: string; server_label?: unknown }

export type ResponsesInput =
  | { type: 'message'; role: 'system' | 'user' | 'assistant'; content: ResponsesPart[] }
  | { type: 'reasoning'; id?: string; summary: ResponsesSummary[]; encrypted_content: string }
  | { type: 'function_call'; call_id: string; name: string; arguments: string }
  | { type: 'function_call_output'; call_id: string; output: string | ResponsesPart[] }

export type ResponsesPart =
  | { type: 'input_text'; text: string }
  | { type: 'output_text'; text: string; annotations: ResponsesAnnotation[] }
  | { type: 'refusal'; refusal: string }
  | ({ type: 'input_image'; detail: string } & ({ image_url?: string } | { file_id: string }))
  | ({ type: 'input_file' } & (OpenAiFile | { file_url: string }))
  | OpenAiRecording

export type ResponsesSummary = { type: 'summary_text'; text: string }

export type ResponsesAnnotation = {
  type: 'url_citation'
  url: string
  title: string
  start_index: number
  end_index: number
}

/** The response object, without what its state adds. */
export type ResponsesHead = {
  id: string
  object: 'response'
  created_at: number
  model: string
  background: boolean
  instructions: string | null
  max_output_tokens: number | null
  metadata: unknown
  parallel_tool_calls: boolean
  previous_response_id: null
  reasoning: { effort: string | null; summary: string | null }
  store: false
  temperature: number
  text: NonNullable<ResponsesSettings['text']>
  tool_choice: ResponsesToolChoice
  tools: ResponsesTool[]
  top_p: number
  truncation: unknown
  user: string | null
}

export type ResponsesState = {
  status: 'in_progress' | 'completed' | 'incomplete' | 'failed'
  error: { code: string; message: string } | null
  incomplete_details: { reason: 'max_output_tokens' | 'content_filter' } | null
}

export type ResponsesObject = ResponsesHead & ResponsesState & { output: Json[]; usage: ResponsesUsage | null }

export type ResponsesUsage = {
  input_tokens: number
  input_tokens_details: {
    cached_tokens: number
    cache_write_tokens?: number
    audio_tokens?: number
    image_tokens?: number
  }
  output_tokens: number
  output_tokens_details: { reasoning_tokens: number; audio_tokens?: number; image_tokens?: number }
  total_tokens: number
}

/** An item of the output as it begins. */
export type ResponsesItem =
  | { type: 'message'; id: string; status: 'in_progress'; role: 'assistant'; content: ResponsesContent[] }
  | { type: 'reasoning'; id: string; summary: ResponsesSummary[]; encrypted_content?: string }
  | { type: 'image_generation_call'; id: string; status: 'completed'; result?: string }
  | ResponsesCall

export type ResponsesCall =
  | {
      type: 'tool_search_call'
      id: string
      call_id: string
      execution: 'client'
      arguments: Json
      status: 'in_progress'
    }
  | { type: 'custom_tool_call'; id: string; call_id: string; name: string; namespace?: string; input: string }
  | {
      type: 'function_call'
      id: string
      call_id: string
      name: string
      namespace?: string
      arguments: string
      status: 'in_progress'
    }

export type ResponsesContent =
  | { type: 'output_text'; text: string; annotations: Json[]; logprobs: OpenAiLogprob[] }
  | { type: 'refusal'; refusal: string }

type InItem = { item_id: unknown; output_index: number }
type InContent = InItem & { content_index: number }
type InSummary = InItem & { summary_index: number }

/** Fields of the events by type, beside `type` and `sequence_number`. Parts and items are as they have grown. */
export type ResponsesEvents = {
  error: {
    code: string
    message: string
    param: string | null
    error: { type: string; code: string; message: string; param: string | null }
  }
  'response.created': { response: ResponsesObject }
  'response.in_progress': { response: ResponsesObject }
  'response.completed': { response: ResponsesObject }
  'response.incomplete': { response: ResponsesObject }
  'response.failed': { response: Json }
  'response.output_item.added': { output_index: number; item: Json }
  'response.output_item.done': { output_index: number; item: Json }
  'response.content_part.added': InContent & { part: ResponsesContent }
  'response.content_part.done': InContent & { part: Json }
  'response.output_text.delta': InContent & { delta: string; logprobs: [] }
  'response.output_text.annotation.added': InContent & { annotation_index: number; annotation: Json }
  'response.output_text.done': InContent & { text: unknown; logprobs: unknown }
  'response.refusal.delta': InContent & { delta: string }
  'response.refusal.done': InContent & { refusal: unknown }
  'response.reasoning_summary_part.added': InSummary & { part: ResponsesSummary }
  'response.reasoning_summary_part.done': InSummary & { part: Json }
  'response.reasoning_summary_text.delta': InSummary & { delta: string }
  'response.reasoning_summary_text.done': InSummary & { text: unknown }
  'response.function_call_arguments.delta': InItem & { delta: string }
  'response.function_call_arguments.done': InItem & { name: unknown; arguments: unknown }
  'response.custom_tool_call_input.delta': InItem & { delta: string }
  'response.custom_tool_call_input.done': InItem & { input: unknown }
}
