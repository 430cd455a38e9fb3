/**
 * The body of POST /v1/chat-messages and its events, as far as they are written and read here; the provider makes the
 * bodies of other apps of it.
 * https://docs.dify.ai/en/api-reference/chat-messages/send-chat-message (read 2026-11)
 */

export type DifyBody = {
  inputs: Record<string, never>
  query: string
  /** The last message alone: no field of Dify. */
  message?: string
  response_mode: 'streaming'
  conversation_id?: string
  user?: string
  files?: DifyFile[]
  auto_generate_name: false
}

export type DifyFile =
  | { type: string; transfer_method: 'remote_url'; url: string }
  /** `content` is uploaded before the call, and becomes `upload_file_id`. */
  | { type: string; transfer_method: 'local_file'; content: { name: string; media_type: string; data: string } }

/** Each event has the fields of its name. */
export type DifyEvent = {
  event?: string
  id?: string
  message_id?: string
  workflow_run_id?: string
  conversation_id?: string
  created_at?: number
  answer?: string
  metadata?: { usage?: DifyUsage }
  data?: DifyRun
  /** Of a file. */
  type?: string
  url?: string
  belongs_to?: 'user' | 'assistant'
  /** Of a thought. */
  thought?: string
  tool?: string
  tool_input?: string
  observation?: string
}

/** A piece of text, a node or the end of a run. */
export type DifyRun = {
  text?: string
  created_at?: number
  total_tokens?: number
  process_data?: DifyOutputs
  outputs?: DifyOutputs
}

export type DifyOutputs = { usage?: DifyUsage; [name: string]: unknown }

export type DifyUsage = { prompt_tokens: number; completion_tokens: number }
