/** The parts of messages and responses. */
import type { Json } from '../../pure/json.ts'
import type { FormatName, Owner } from '../index.ts'

export type { FormatName, Owner } from '../index.ts'

export type Part =
  | TextPart
  | ImagePart
  | AudioPart
  | FilePart
  | ToolCall
  | ToolResult
  | ThinkingPart
  | RefusalPart
  | NativePart

export interface TextPart {
  kind: 'text'
  text: string
  cache?: CacheMark
  citations?: Citation[]
  /** Gemini signs texts too. */
  signature?: Signature
}

export interface ImagePart {
  kind: 'image'
  source: Source
  detail?: string
  cache?: CacheMark
}

export interface AudioPart {
  kind: 'audio'
  source: Source
  /** What is said in it. */
  transcript?: string
}

/** A document or a video. */
export interface FilePart {
  kind: 'file'
  source: Source
  name?: string
  /** What the document is about, beside its content. */
  context?: string
  /** Whether the answer is to cite from it. */
  citations?: boolean
  cache?: CacheMark
}

export type Source =
  | { via: 'url'; url: string; media_type?: string }
  | { via: 'base64'; media_type: string; data: string }
  | { via: 'text'; text: string }
  /** Kept by the provider of a format; means nothing to another. */
  | { via: 'id'; id: string; owner: Owner; media_type?: string }

export interface ToolCall {
  kind: 'tool_call'
  /** Empty where the format has none and nobody gave it one yet. */
  id: string
  name: string
  /** JSON, as text: the model may have written it wrong. */
  arguments: string
  /** Its caller is told a text instead, and that is what the arguments are. */
  custom?: true
  signature?: Signature
  cache?: CacheMark
}

export interface ToolResult {
  kind: 'tool_result'
  /** Of the call that it answers. */
  id: string
  name?: string
  parts: (TextPart | ImagePart | FilePart)[]
  is_error?: boolean
  cache?: CacheMark
}

export interface ThinkingPart {
  kind: 'thinking'
  text: string
  /** What lets its own provider trust the thought when it comes back; all there is of a thought that is hidden. */
  signature?: Signature
  /** The name that the format gives the thought. */
  id?: string
}

export interface RefusalPart {
  kind: 'refusal'
  text: string
}

/** An item of one format that the others do not have, unchanged. */
export interface NativePart {
  kind: 'native'
  format: FormatName
  value: Json
  /** Its content as text, for other formats. */
  text?: string
  /** Refers to an item that the provider stores. */
  is_stored?: true
}

export interface Signature {
  owner: Owner
  value: string
  /** Anthropic's redacted thoughts come back in a block of another kind than its signed ones. */
  redacted?: true
}

/** How long the provider keeps the prompt up to here. */
export type CacheMark = '5m' | '1h'

export interface Citation {
  url?: string
  title?: string
  /** The words of the source. */
  quote?: string
  /** Which characters of the text it stands for; all of them where it does not say. */
  start?: number
  end?: number
  /** The citation in the words of the format that it came in. */
  native?: { format: FormatName; value: Json }
}
