/** The body of POST /v3/chat and its events, as far as they are written and read here. https://www.coze.cn/docs/developer_guides/chat_v3 (read 2026-11) */

export type CozeBody = {
  /** The provider moves it into the URL. */
  conversation_id?: string
  user_id?: string
  additional_messages: CozeMessage[]
  stream: true
  auto_save_history: true
}

export type CozeMessage = {
  role: 'user' | 'assistant'
  type: 'question' | 'answer'
  content: string | CozeContent[]
  content_type: 'text' | 'object_string'
}

export type CozeContent =
  | { type: 'text'; text: string }
  | { type: 'image' | 'audio' | 'file'; file_url: string }
  /** `content` is uploaded before the call. */
  | { type: 'image' | 'audio' | 'file'; content: { name: string; media_type: string; data: string } }

/** A message that is written, or is complete. */
export type CozeAnswer = {
  id: string
  chat_id: string
  conversation_id: string
  created_at?: number
  type: string
  content?: string
  reasoning_content?: string
}

export type CozeChat = {
  id: string
  conversation_id: string
  created_at?: number
  usage?: CozeUsage
  last_error?: { code: number; msg: string }
}

export type CozeUsage = { token_count: number; input_count: number; output_count: number }
