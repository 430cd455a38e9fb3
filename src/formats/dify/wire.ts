/**
 * The body of POST /v1/chat-messages as it is written here; the provider makes those of other apps of it.
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
