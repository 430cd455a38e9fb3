/** What was said, for logs that keep it: the instructions, what came before, what was asked, what was answered. */
import { wordsOf } from '../codecs/estimate.ts'
import { requestOf } from '../codecs/passing.ts'
import { option } from '../console/options/service.ts'
import type { LogDetails } from '../contracts/log.ts'
import type { Call } from './call.ts'

export const keepsText = () => option('LogChatContentEnabled')

export const keptText = (call: Call, answer: string): LogDetails =>
  keepsText() ? { ...promptOf(call), output_content: answer } : {}

function promptOf({ door, body }: Call): LogDetails {
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
