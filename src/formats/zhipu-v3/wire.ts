/** The body of an invocation as it is written here. https://open.bigmodel.cn/dev/api#chatglm_turbo (read 2026-11) */

export type InvocationBody = {
  prompt: InvocationTurn[]
  temperature?: number
  top_p?: number
  incremental?: boolean
}

export type InvocationTurn = { role: 'user' | 'assistant'; content: string }
