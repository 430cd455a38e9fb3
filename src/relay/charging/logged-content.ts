/** The texts of a call for the usage log, while LogChatContentEnabled is on. */

import type { LogDetails } from '../../contracts/log.ts'
import { option } from '../../domain/options/index.ts'
import { wordsOf } from '../../formats/estimate.ts'
import type { Call } from '../call.ts'

export const logsContent = () => option('LogChatContentEnabled')

/** Characters of each text. */
const TEXT_MAX = 32_768

/** @param facts their text is read only while content is logged */
export function loggedContent(call: Call, facts: { text: string }): LogDetails {
  if (!logsContent()) return {}
  const texts = Object.entries({ ...promptOf(call), output_content: facts.text })
  return Object.fromEntries(texts.map(([name, text]) => [name, text && clipped(text)]))
}

const clipped = (text: string) => (text.length > TEXT_MAX ? `${text.slice(0, TEXT_MAX).toWellFormed()}…` : text)

type PromptTexts = Pick<LogDetails, 'system_prompt' | 'context' | 'input_content'>

function promptOf(call: Call): PromptTexts {
  const request = call.canonical.read()
  if (!request || !('messages' in request)) return { input_content: call.endpoint.format.promptText(call.body) }
  const last = request.messages.at(-1)
  const before = request.messages.slice(0, -1).map(({ role, parts }) => `${role}: ${wordsOf(parts)}`)
  return {
    system_prompt: request.system.map(({ text }) => text).join('\n') || undefined,
    context: before.join('\n') || undefined,
    input_content: last && wordsOf(last.parts),
  }
}
