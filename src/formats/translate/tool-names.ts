/** Names of functions, which formats allow to be of different lengths and letters. */
import { createHash } from 'node:crypto'
import type { ChatRequest, FormatName, FunctionTool, Part } from '../canonical/chat.ts'
import { withParts } from './features.ts'

interface Rule {
  most: number
  refused: RegExp
  /** What a name must begin with, where it does not. */
  begins?: RegExp
}

const openAi: Rule = { most: 64, refused: /[^\w-]/g }

const rules: Record<FormatName, Rule> = {
  'openai-chat': openAi,
  'openai-responses': openAi,
  anthropic: { most: 128, refused: /[^\w-]/g },
  gemini: { most: 64, refused: /[^\w.:-]/g, begins: /^[a-z_]/i },
}

const MARK_LENGTH = 8

/** A name as a format takes it. One that must change gets a mark of what it was: no two become the same. */
function nameFor(format: FormatName, name: string): string {
  const { most, refused, begins } = rules[format]
  const allowed = name.replaceAll(refused, '_')
  const begun = begins && !begins.test(allowed) ? `_${allowed}` : allowed
  if (begun === name && name.length <= most) return name
  const mark = createHash('sha256').update(name).digest('hex').slice(0, MARK_LENGTH)
  return `${begun.slice(0, most - MARK_LENGTH - 1)}_${mark}`
}

/** The request with every function under a name that the format takes. */
export function withNamesFor(format: FormatName, request: ChatRequest): ChatRequest {
  const renamed = <T extends { name: string }>(named: T): T => ({ ...named, name: nameFor(format, named.name) })
  const rename = (part: Part): Part => {
    if (part.kind === 'tool_call') return renamed(part)
    return part.kind === 'tool_result' && part.name ? renamed({ ...part, name: part.name }) : part
  }
  const { tool_choice: choice } = request
  return {
    ...withParts(request, rename),
    tools: request.tools.map(tool => (tool.kind === 'function' ? renamed(tool) : tool)),
    tool_choice:
      choice?.kind === 'tool'
        ? renamed(choice)
        : choice?.kind === 'allowed'
          ? { ...choice, names: choice.names.map(name => nameFor(format, name)) }
          : choice,
  }
}

/** The function that an upstream calls, as its caller knows it. */
export const calledBy = (name: string, upstream: FormatName, { tools }: ChatRequest): FunctionTool | undefined =>
  tools.find((tool): tool is FunctionTool => tool.kind === 'function' && nameFor(upstream, tool.name) === name)
