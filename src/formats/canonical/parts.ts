/** The parts of messages and responses. */
import type { Json } from '../../pure/json.ts'
import type { FormatName, Owner } from '../index.ts'

export type { ClientFormatName, FormatName, Owner } from '../index.ts'

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
  /** Gemini also signs texts. https://ai.google.dev/gemini-api/docs/thought-signatures (read 2026-11) */
  signature?: Signature
  /** The format whose upstreams alone get the text. */
  only_for?: FormatName
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
  /** The words spoken in it. */
  transcript?: string
}

/** A document or a video. */
export interface FilePart {
  kind: 'file'
  source: Source
  name?: string
  /** A description beside the content. */
  context?: string
  /** The response shall cite from it. */
  citations?: boolean
  cache?: CacheMark
}

export type Source =
  | { via: 'url'; url: string; media_type?: string }
  | { via: 'base64'; media_type: string; data: string }
  | { via: 'text'; text: string }
  /** Stored by a provider; unknown to any other. */
  | { via: 'id'; id: string; owner: Owner; media_type?: string }

export interface ToolCall {
  kind: 'tool_call'
  /** Empty in formats without ids, until one is made. */
  id: string
  name: string
  /** JSON as text; models write invalid JSON too. */
  arguments: string
  /** A call of a custom tool: the arguments are the free text itself. */
  custom?: true
  /** In a response, the group of the function, whose name stands without it. */
  namespace?: string
  /** In a response, a call of the tool that finds others. */
  finds_tools?: true
  signature?: Signature
  cache?: CacheMark
}

export interface ToolResult {
  kind: 'tool_result'
  /** The id of the tool call. */
  id: string
  name?: string
  parts: (TextPart | ImagePart | FilePart)[]
  is_error?: boolean
  cache?: CacheMark
}

export interface ThinkingPart {
  kind: 'thinking'
  text: string
  /** Proves to its own provider that the thought is unchanged; a redacted thought has nothing else. */
  signature?: Signature
  /** The upstream's id of the thought. */
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
  /** Anthropic has a block of another kind for redacted thoughts. */
  redacted?: true
}

/** How long the provider caches the prompt up to here. */
export type CacheMark = '5m' | '1h'

export interface Citation {
  url?: string
  title?: string
  /** Text of the source. */
  quote?: string
  /** Range of characters of the cited text; all of it by default. */
  start?: number
  end?: number
  /** The citation in the upstream's own form. */
  native?: { format: FormatName; value: Json }
}
