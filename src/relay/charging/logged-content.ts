/** What was said, for logs that keep it: the instructions, what came before, what was asked, what was answered. */

import type { LogDetails } from '../../contracts/log.ts'
import { option } from '../../domain/options/index.ts'
import { wordsOf } from '../../formats/estimate.ts'
import { isChatClient } from '../../formats/format.ts'
import { requestOf } from '../../formats/translate/passthrough.ts'
import type { Call } from '../call.ts'

export const logsContent = () => option('LogChatContentEnabled')

/** Characters of each text: rows of a log are read by people. */
const TEXT_MAX = 32_768

export function loggedContent(call: Call, answer: string): LogDetails {
  if (!logsContent()) return {}
  const texts = Object.entries({ ...promptOf(call), output_content: answer })
  return Object.fromEntries(texts.map(([name, text]) => [name, text && clipped(text)]))
}

const clipped = (text: string) => (text.length > TEXT_MAX ? `${text.slice(0, TEXT_MAX).toWellFormed()}…` : text)

type Prompt = Pick<LogDetails, 'system_prompt' | 'context' | 'input_content'>

function promptOf({ endpoint, body }: Call): Prompt {
  const { format } = endpoint
  const request = isChatClient(format) && requestOf(format, body)
  if (!request || !('messages' in request)) return { input_content: format.promptText(body) }
  const last = request.messages.at(-1)
  const before = request.messages.slice(0, -1).map(({ role, parts }) => `${role}: ${wordsOf(parts)}`)
  return {
    system_prompt: request.system.map(({ text }) => text).join('\n') || undefined,
    context: before.join('\n') || undefined,
    input_content: last && wordsOf(last.parts),
  }
}
