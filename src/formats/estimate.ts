/** About how many tokens a prompt is: for what is reserved, and for callers who ask before they call. */
import { estimateTokens } from '../pure/estimate-tokens.ts'
import type { ChatRequest, Part, Source } from './canonical/chat.ts'

const PER_TURN = 3
const AT_THE_END = 3
const PER_TOOL = 8
/** Most models bill a picture or a document near this. */
const IMAGE = 765
const LOW_DETAIL = 85
const PDF = 5000
const BASE64_PER_AUDIO_TOKEN = 4000

export function estimate({ system, messages, tools }: ChatRequest): number {
  const said = system.reduce((sum, { text }) => sum + estimateTokens(text), system.length ? PER_TURN : 0)
  const spoken = messages.reduce((sum, turn) => sum + PER_TURN + tokensOf(turn.parts), 0)
  const offered = tools.reduce((sum, tool) => sum + PER_TOOL + estimateTokens(JSON.stringify(tool)), 0)
  return AT_THE_END + said + spoken + offered
}

const tokensOf = (parts: Part[]): number => parts.reduce((sum, part) => sum + partTokens(part), 0)

function partTokens(part: Part): number {
  switch (part.kind) {
    case 'text':
    case 'refusal':
    case 'thinking':
      return estimateTokens(part.text)
    case 'image':
      return part.detail === 'low' ? LOW_DETAIL : IMAGE
    case 'audio':
      return part.source.via === 'base64' ? 1 + Math.ceil(part.source.data.length / BASE64_PER_AUDIO_TOKEN) : IMAGE
    case 'file':
      return fileTokens(part.source)
    case 'tool_call':
      return estimateTokens(part.name) + estimateTokens(part.arguments)
    case 'tool_result':
      return tokensOf(part.parts)
    case 'native':
      return estimateTokens(part.text ?? JSON.stringify(part.value))
  }
}

const fileTokens = (source: Source): number => (source.via === 'text' ? estimateTokens(source.text) : PDF)

/** The prompt as text, for logs that keep it. */
export const promptText = ({ system, messages }: ChatRequest): string =>
  [
    ...system.map(({ text }) => `system: ${text}`),
    ...messages.map(({ role, parts }) => `${role}: ${wordsOf(parts)}`),
  ].join('\n')

export const wordsOf = (parts: Part[]): string => parts.map(wordsIn).join(' ')

function wordsIn(part: Part): string {
  if (part.kind === 'tool_call') return `[${part.name}(${part.arguments})]`
  if (part.kind === 'tool_result') return wordsOf(part.parts)
  return 'text' in part && part.text ? part.text : `[${part.kind}]`
}
