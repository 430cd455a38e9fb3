import { estimateTokens } from '../../pure/estimate-tokens.ts'
import type { Json } from '../../pure/json.ts'
import type { ResponseFacts } from '../format.ts'

/** An answer has choices; anything else with status 200 is none. */
export function readResponse(body: unknown): ResponseFacts | undefined {
  const { choices, usage } = (body ?? {}) as Json
  if (!Array.isArray(choices)) return undefined
  const pieces = () => choices.flatMap(choice => piecesOf((choice as Json | null)?.message))
  return {
    usage_report: reportIn(usage),
    // Hardly ever asked for: most answers bring their own count.
    get output_estimate() {
      return pieces().reduce((sum, piece) => sum + estimateTokens(piece), 0)
    },
    get text() {
      return pieces().join('\n')
    },
  }
}

export const reportIn = (usage: unknown): Json | undefined =>
  typeof usage === 'object' && usage !== null ? (usage as Json) : undefined

/** Everything a message or a delta says, thinking and tool calls included. */
export function piecesOf(message: unknown): string[] {
  const { content, reasoning_content, reasoning, refusal, tool_calls, function_call, audio } = (message ?? {}) as Json
  const calls = [
    function_call,
    ...(Array.isArray(tool_calls) ? tool_calls.map(call => (call as Json | null)?.function) : []),
  ]
  const said = [reasoning_content ?? reasoning, content, refusal, (audio as Json | null | undefined)?.transcript]
  return [
    ...said.flatMap(textsOf),
    ...calls.flatMap(call => [(call as Json | null)?.name, (call as Json | null)?.arguments]),
  ].filter((piece): piece is string => typeof piece === 'string' && piece !== '')
}

const textsOf = (content: unknown): unknown[] =>
  Array.isArray(content) ? content.map(part => (part as Json | null)?.text) : [content]
