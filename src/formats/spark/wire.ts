/** Messages of the WebSocket, as far as they are written and read here. https://www.xfyun.cn/doc/spark/Web.html (read 2026-11) */

export type SparkBody = {
  header: { uid?: string }
  parameter: { chat: SparkParameters }
  payload: { message: { text: SparkText[] } }
}

export type SparkParameters = {
  domain: string
  temperature?: number
  top_k?: number
  max_tokens?: number
  tools?: SparkTool[]
}

export type SparkTool = { type: 'web_search'; web_search: { enable: true } }

export type SparkText = { role: 'system' | 'user' | 'assistant'; content: string }

export type SparkFrame = {
  header: { code: number; message: string; sid: string; status: number }
  payload?: SparkPayload
}

export type SparkPayload = {
  choices: { status: number; text: SparkPiece[] }
  /** OpenAI's counts. */
  usage?: { text: Record<string, unknown> }
}

export type SparkPiece = { content?: string; reasoning_content?: string }
