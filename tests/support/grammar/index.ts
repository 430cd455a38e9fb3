/** The grammar of each client format's streams: what its clients rely on, beyond what their parsers enforce. */
import type { ClientFormatName } from '../../../src/formats/canonical/chat.ts'
import { anthropicGrammar } from './anthropic.ts'
import { geminiGrammar } from './gemini.ts'
import { openAiChatGrammar } from './openai-chat.ts'
import { openAiResponsesGrammar } from './openai-responses.ts'
import { eventsIn, Rules, type StreamGrammar } from './rules.ts'

const grammars: Record<ClientFormatName, (rules: Rules) => StreamGrammar> = {
  'openai-chat': openAiChatGrammar,
  'openai-responses': openAiResponsesGrammar,
  anthropic: anthropicGrammar,
  gemini: geminiGrammar,
}

/** @param sse the whole stream as a client receives it. @returns what breaks the grammar, each with its event's number */
export function violations(format: ClientFormatName, sse: string): string[] {
  const rules = new Rules()
  const grammar = grammars[format](rules)
  for (const event of eventsIn(sse, rules)) grammar.read(event)
  rules.at = 'end'
  grammar.end()
  return rules.broken
}
