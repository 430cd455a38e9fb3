/**
 * Reads the thoughts of an agent: what it considers, which tool it calls, what that finds.
 * https://docs.dify.ai/en/api-reference/chat-messages/send-chat-message (read 2026-11)
 */
import { textOf, type UnreadFields } from '../json/lenient-json.ts'
import type { DifyEvent } from './wire.ts'

/** A thought comes again as it grows. */
export class AgentThoughts {
  readonly #known = new Map<string, string>()

  /** @param answer so far: agents repeat it as their thought. @returns what is new */
  added(event: UnreadFields<DifyEvent>, answer: string): string {
    const { id, thought, tool, tool_input, observation } = event
    const own = textOf(thought)
    const call = [tool, tool_input].map(textOf).filter(Boolean).join(' ')
    const lines = [own && !answer.includes(own) ? own : '', call, textOf(observation)].filter(Boolean)
    const text = lines.map(line => `${line}\n`).join('')
    const known = this.#known.get(textOf(id)) ?? ''
    this.#known.set(textOf(id), text)
    return text.startsWith(known) ? text.slice(known.length) : text
  }
}
