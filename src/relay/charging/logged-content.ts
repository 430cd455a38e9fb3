/** The texts of a call for the usage log, while LogChatContentEnabled is on. */

import type { LogDetails } from '../../contracts/log.ts'
import { joinMessages, type MessageSpans } from '../../contracts/logged-messages.ts'
import { option } from '../../domain/options/index.ts'
import { wordsOf } from '../../formats/estimate.ts'
import type { Call } from '../call.ts'

export const logsContent = () => option('LogChatContentEnabled')

/** Characters of each text. */
const TEXT_MAX = 32_768

/** @param facts their text is read only while content is logged */
export function loggedContent(call: Call, facts: { text: string }): LogDetails {
  if (!logsContent()) return {}
  const { context_spans, ...prompt } = promptOf(call)
  const texts = Object.entries({ ...prompt, output_content: facts.text })
  const kept = Object.fromEntries(texts.map(([name, text]) => [name, text && clipped(text)]))
  return context_spans ? { ...kept, context_spans: withinMax(context_spans) } : kept
}

const clipped = (text: string) => (text.length > TEXT_MAX ? `${text.slice(0, TEXT_MAX).toWellFormed()}…` : text)

/** Without the messages that are beyond the limit. */
function withinMax(spans: MessageSpans): MessageSpans {
  let length = 0
  return spans.filter(span => {
    const isWithin = length < TEXT_MAX
    length += span[1]
    return isWithin
  })
}

type PromptTexts = Pick<LogDetails, 'system_prompt' | 'context' | 'context_spans' | 'input_content'>

function promptOf(call: Call): PromptTexts {
  const request = call.canonical.read()
  if (!request || !('messages' in request)) return { input_content: call.endpoint.format.promptText(call.body) }
  const last = request.messages.at(-1)
  const before = request.messages.slice(0, -1).map(({ role, parts }) => ({ role, text: wordsOf(parts) }))
  return {
    system_prompt: request.system.map(({ text }) => text).join('\n') || undefined,
    ...joinMessages(before),
    input_content: last && wordsOf(last.parts),
  }
}
