/** Bodies and events of an invocation as far as they are written and read here. https://open.bigmodel.cn/dev/api#chatglm_turbo (read 2026-11) */

export type InvocationBody = {
  prompt: InvocationTurn[]
  temperature?: number
  top_p?: number
  incremental?: boolean
}

export type InvocationTurn = { role: 'user' | 'assistant'; content: string }

/** `data` of a response. */
export type InvocationResult = {
  task_id: string
  request_id?: string
  choices: { role: 'assistant'; content: string }[]
  usage: InvocationUsage
}

export type InvocationUsage = { prompt_tokens?: number; completion_tokens?: number; total_tokens: number }

/** `meta` is JSON as text. */
export type InvocationEvent = { event: string; data: string; meta?: string }

export type InvocationMeta = { request_id: string; usage: InvocationUsage }
