import type { ClientFormatName } from '../../../src/formats/canonical/chat.ts'
import { anthropic } from './anthropic.ts'
import { gemini } from './gemini.ts'
import { openAiChat } from './openai-chat.ts'
import { openAiResponses } from './openai-responses.ts'
import type { Wire } from './sse.ts'

export const wires: Record<ClientFormatName, Wire> = {
  'openai-chat': openAiChat,
  'openai-responses': openAiResponses,
  anthropic,
  gemini,
}

/** A stream of "Four 四." up to its first word. */
export function beginning(upstream: ClientFormatName): string {
  const events = wires[upstream].streams.text.split(/(?<=\n\n)/)
  return events.slice(0, events.findIndex(event => event.includes('Four')) + 1).join('')
}
