/**
 * Bodies and events of Converse and ConverseStream as far as they are written and read here.
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html (read 2026-11)
 */
import type { Json } from '../../pure/json.ts'

export type ConverseBody = {
  /** Of the URL. */
  model: string
  /** Of the URL. */
  stream?: boolean
  messages: ConverseMessage[]
  system?: ConverseText[]
  inferenceConfig?: ConverseInference
  toolConfig?: ConverseTools
  additionalModelRequestFields?: ConverseFields
  outputConfig?: ConverseOutput
}

export type ConverseMessage = { role: 'user' | 'assistant'; content: ConverseBlock[] }

export type CachePoint = { cachePoint: { type: 'default'; ttl?: '1h' } }

export type ConverseText = { text: string } | CachePoint

export type ConverseBlock =
  | ConverseText
  | { image: { format: string; source: { bytes: string } } }
  | { video: { format: string; source: { bytes: string } } }
  | { document: { format: string; name: string; source: { bytes: string }; context?: string } }
  | { toolUse: { toolUseId: string; name: string; input: Json } }
  | { toolResult: { toolUseId: string; content: ConverseBlock[]; status?: 'error' } }
  | { reasoningContent: { redactedContent: string } | { reasoningText: { text: string; signature: string } } }

export type ConverseInference = { maxTokens?: number; temperature?: number; topP?: number; stopSequences?: string[] }

export type ConverseTools = { tools: ConverseTool[]; toolChoice?: ConverseToolChoice }
export type ConverseTool =
  | { toolSpec: { name: string; description?: string; inputSchema: { json: Json }; strict?: boolean } }
  | CachePoint
export type ConverseToolChoice =
  | { auto: Record<string, never> }
  | { any: Record<string, never> }
  | { tool: { name: string } }

/** Of single makers. */
export type ConverseFields = {
  top_k?: number
  inferenceConfig?: { topK: number }
  reasoning_effort?: string
  reasoningConfig?: { type: 'enabled'; maxReasoningEffort: string }
}

export type ConverseOutput = {
  textFormat: {
    type: 'json_schema'
    structure: { jsonSchema: { schema: string; name: string; description?: string } }
  }
}

export type ConverseResponse = {
  output: { message: { content: ConverseAnswer[] } }
  stopReason: string
  usage: ConverseUsage
}

/** Each has one of the fields. */
export type ConverseAnswer = {
  text?: string
  reasoningContent?: ConverseThought
  citationsContent?: { content: { text: string }[] }
  toolUse?: ConverseCall
}

export type ConverseThought = {
  reasoningText?: { text: string; signature?: string }
  redactedContent?: string
}

export type ConverseCall = { toolUseId: string; name: string; input: Json }

export type ConverseUsage = {
  inputTokens: number
  outputTokens: number
  cacheReadInputTokens?: number
  cacheWriteInputTokens?: number
  cacheDetails?: { ttl: string; inputTokens: number }[]
}

/** The payload of an event; each has the fields of its type. */
export type ConverseEvent = {
  contentBlockIndex?: number
  start?: { toolUse?: Omit<ConverseCall, 'input'> }
  delta?: ConverseDelta
  stopReason?: string
  usage?: ConverseUsage
}

/** Each has one of the fields. */
export type ConverseDelta = {
  text?: string
  toolUse?: { input: string }
  reasoningContent?: { text?: string; signature?: string; redactedContent?: string }
}
