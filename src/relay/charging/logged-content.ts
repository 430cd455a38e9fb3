/** What was said, for logs that keep it: the instructions, what came before, what was asked, what was answered. */

import type { LogDetails } from '../../contracts/log.ts'
import { option } from '../../domain/options/index.ts'
import { wordsOf } from '../../formats/estimate.ts'
import { requestOf } from '../../formats/translate/passthrough.ts'
import type { Call } from '../call.ts'

export const keepsText = () => option('LogChatContentEnabled')

/** Characters of each text: rows of a log are read by people. */
const TEXT_MAX = 32_768

export function keptText(call: Call, answer: string): LogDetails {
  if (!keepsText()) return {}
  const texts = Object.entries({ ...promptOf(call), output_content: answer })
  return Object.fromEntries(texts.map(([name, text]) => [name, text && clipped(text)]))
}

const clipped = (text: string) => (text.length > TEXT_MAX ? `${text.slice(0, TEXT_MAX).toWellFormed()}…` : text)

type Prompt = Pick<LogDetails, 'system_prompt' | 'context' | 'input_content'>

function promptOf({ door, body }: Call): Prompt {
  const { codec } = door
  const request = codec.dialect && requestOf(codec.dialect, body)
  if (!request || !('turns' in request)) return { input_content: codec.promptText(body) }
  const last = request.turns.at(-1)
  const before = request.turns.slice(0, -1).map(({ role, parts }) => `${role}: ${wordsOf(parts)}`)
  return {
    system_prompt: request.system.map(({ text }) => text).join('\n') || undefined,
    context: before.join('\n') || undefined,
    input_content: last && wordsOf(last.parts),
  }
}
