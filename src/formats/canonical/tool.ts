/** Tools that a model may call. */
import type { Json } from '../../pure/json.ts'
import { textOf } from '../json/lenient-json.ts'
import type { CacheMark, FormatName } from './parts.ts'
import type { SearchScope } from './search-scope.ts'

export type Tool = FunctionTool | HostedTool

export interface FunctionTool {
  kind: 'function'
  name: string
  description?: string
  /** JSON schema; absent for a function without arguments. */
  parameters?: Json
  /** The provider enforces the schema; by default only if the schema allows it. */
  strict?: boolean
  /** The client declared a custom tool, called with free text: the only argument, `input`. */
  freeform?: true
  /** OpenAI's group of functions: its name, with which the function's begins. */
  namespace?: string
  /** It finds further tools. OpenAI's clients have items of their own for it. */
  finds_tools?: true
  cache?: CacheMark
}

/** Tools that several providers run, each under its own name. */
export type HostedOffer = 'web_search' | 'code_execution'

/** A tool that the provider runs, or whose parameters it defines. */
export interface HostedTool {
  kind: 'hosted'
  /** Undefined for a tool of one provider alone. */
  offer: HostedOffer | undefined
  scope?: SearchScope
  format: FormatName
  value: Json
}

export type ToolChoice =
  | { kind: 'auto' | 'none' | 'required' }
  /** `is_hosted`: the name is that of a hosted tool, even if a function has the same. */
  | { kind: 'tool'; name: string; is_hosted?: true }
  /** `hosted` names the hosted tools that are allowed; without it all are. */
  | { kind: 'allowed'; names: string[]; hosted?: string[]; required: boolean }

/** The name by which a choice refers to a hosted tool: the same for tools of several formats with one offer. */
export const hostedName = ({ offer, value }: Pick<HostedTool, 'offer' | 'value'>): string =>
  offer ?? textOf(value.name ?? value.type)
