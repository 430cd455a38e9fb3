/**
 * Bodies and events of generateContent and streamGenerateContent as far as they are written here.
 * https://ai.google.dev/api/generate-content (read 2026-11)
 */
import type { Json } from '../../pure/json.ts'

export type GeminiBody = {
  contents: GeminiContent[]
  systemInstruction?: { parts: { text: string }[] }
  tools?: GeminiTool[]
  toolConfig?: GeminiToolConfig
  generationConfig?: GeminiConfig
}

export type GeminiContent = { role: 'user' | 'model'; parts: GeminiPart[] }

/** One of the contents, the signature beside it. */
export type GeminiPart = {
  text?: string
  thought?: true
  thoughtSignature?: string
  inlineData?: { mimeType: string; data: string }
  fileData?: { mimeType?: string; fileUri: string }
  functionCall?: { id?: string; name: string; args: Json }
  functionResponse?: GeminiResult
}

export type GeminiResult = { id?: string; name: string; response: Json; parts?: GeminiPart[] }

/** Each entry has one of the fields. */
export type GeminiTool = {
  functionDeclarations?: GeminiFunction[]
  googleSearch?: Record<string, never>
  codeExecution?: Record<string, never>
}

export type GeminiFunction = { name: string; description?: string; parameters?: Json }

export type GeminiToolConfig = {
  functionCallingConfig?: GeminiChoice
  includeServerSideToolInvocations?: true
}

export type GeminiChoice = { mode: 'AUTO' | 'NONE' | 'ANY' | 'VALIDATED'; allowedFunctionNames?: string[] }

export type GeminiConfig = {
  temperature?: number
  topP?: number
  topK?: number
  seed?: number
  presencePenalty?: number
  frequencyPenalty?: number
  candidateCount?: number
  maxOutputTokens?: number
  stopSequences?: string[]
  responseLogprobs?: true
  logprobs?: number
  responseMimeType?: string
  responseSchema?: Json
  responseModalities?: string[]
  thinkingConfig?: GeminiThinking
}

export type GeminiThinking = { includeThoughts?: boolean; thinkingBudget?: number; thinkingLevel?: string }

export type GeminiHead = { modelVersion: string; responseId: string }

/** A whole response, or an event of a stream. */
export type GeminiResponse = Partial<GeminiHead> & { candidates: GeminiCandidate[]; usageMetadata?: GeminiUsage }

export type GeminiCandidate = Partial<GeminiEnd> & {
  content: GeminiContent
  logprobsResult?: GeminiLogprobs
  index: number
}

export type GeminiEnd = { finishReason: string; groundingMetadata?: GeminiGrounding }

export type GeminiGrounding = { groundingChunks: GeminiChunk[]; groundingSupports: GeminiSupport[] }
export type GeminiChunk = { web: { uri: string; title?: string } }
export type GeminiSupport = {
  segment: { startIndex: number; endIndex: number; text: string }
  groundingChunkIndices: number[]
}

export type GeminiLogprobs = {
  chosenCandidates: GeminiLogprob[]
  topCandidates: { candidates: GeminiLogprob[] }[]
}
export type GeminiLogprob = { token: string; logProbability: number }

export type GeminiUsage = {
  promptTokenCount: number
  cachedContentTokenCount?: number
  candidatesTokenCount: number
  thoughtsTokenCount?: number
  totalTokenCount: number
  promptTokensDetails: GeminiModalityCount[]
  cacheTokensDetails?: GeminiModalityCount[]
  candidatesTokensDetails: GeminiModalityCount[]
}
export type GeminiModalityCount = { modality: string; tokenCount: number }

export type GeminiErrorBody = { error: { code: number; message: string; status: string; details?: Json[] } }
