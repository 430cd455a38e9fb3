/** Writes a ChatRequest as the body of generateMessage. https://ai.google.dev/palm_docs/palm (read 2026-11) */
import type { ChatRequest } from '../canonical/chat.ts'
import { instructionsOf, type TextTurn, textTurns } from '../canonical/text-turns.ts'
import { jsonInstruction } from '../json/json-instruction.ts'
import type { PalmBody, PalmMessage } from './wire.ts'

const TEMPERATURE_MAX = 1

export function writeRequest(request: ChatRequest): PalmBody {
  const { output, messages, choices } = request
  const { temperature, top_p: topP, top_k: topK } = request.sampling
  const demand = output && output.kind !== 'text' ? jsonInstruction(output) : ''
  const context = [instructionsOf(request), demand].filter(Boolean).join('\n')
  return {
    prompt: {
      context: context || undefined,
      messages: textTurns(messages).map(writeTurn),
    },
    temperature: temperature === undefined ? undefined : Math.min(temperature, TEMPERATURE_MAX),
    candidateCount: choices,
    topP,
    topK,
  }
}

const writeTurn = ({ role, text }: TextTurn): PalmMessage => ({ author: role === 'user' ? '0' : '1', content: text })
