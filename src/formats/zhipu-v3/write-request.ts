/** Writes a ChatRequest as the body of an invocation. https://open.bigmodel.cn/dev/api#chatglm_turbo (read 2026-11) */
import type { ChatRequest } from '../canonical/chat.ts'
import { ACKNOWLEDGED, instructionsOf, type TextTurn, textTurns } from '../canonical/text-turns.ts'
import { jsonInstruction } from '../json/json-instruction.ts'
import type { InvocationBody, InvocationTurn } from './wire.ts'

/** Temperature and `top_p` must be below 1 and above 0. */
const SAMPLING_MAX = 0.99

export function writeRequest(request: ChatRequest): InvocationBody {
  const { temperature, top_p } = request.sampling
  return {
    prompt: [...instructions(request), ...textTurns(request.messages)].map(writeTurn),
    temperature: withinRange(temperature),
    top_p: withinRange(top_p),
    // Streams come in increments, each with nothing but its own text.
    incremental: request.stream || undefined,
  }
}

const writeTurn = ({ role, text }: TextTurn): InvocationTurn => ({ role, content: text })

const withinRange = (value: number | undefined): number | undefined =>
  value ? Math.min(value, SAMPLING_MAX) : undefined

/** There is no role for instructions. */
function instructions(request: ChatRequest): TextTurn[] {
  const { output } = request
  const demand = output && output.kind !== 'text' ? jsonInstruction(output) : ''
  const text = [instructionsOf(request), demand].filter(Boolean).join('\n')
  if (!text) return []
  return [
    { role: 'user', text },
    { role: 'assistant', text: ACKNOWLEDGED },
  ]
}
