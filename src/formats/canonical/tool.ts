/** What a model is offered to do, whoever does it. */
import type { Json } from '../../pure/json.ts'
import type { CacheMark, FormatName } from './parts.ts'
import type { SearchScope } from './search-scope.ts'

export type Tool = FunctionTool | HostedTool

export interface FunctionTool {
  kind: 'function'
  name: string
  description?: string
  /** A JSON schema; absent for a function without arguments. */
  parameters?: Json
  /** Whether arguments are held to the schema; where it is not said, as far as they can be. */
  strict?: boolean
  /** Its caller has described it as one that takes a text: the only argument, `input`. */
  freeform?: true
  cache?: CacheMark
}

/** A tool that the provider runs, or whose shape it prescribes. */
export interface HostedTool {
  kind: 'hosted'
  /** What several providers offer, each under its own name. */
  offer: 'web_search' | 'code_execution' | undefined
  scope?: SearchScope
  format: FormatName
  value: Json
}

export type ToolChoice =
  | { kind: 'auto' | 'none' | 'required' }
  | { kind: 'tool'; name: string }
  | { kind: 'allowed'; names: string[]; required: boolean }
