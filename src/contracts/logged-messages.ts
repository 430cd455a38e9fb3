/** The conversation of a call as the usage log keeps it, as messages. */
import type { LogDetails } from './log.ts'

export const LOGGED_ROLES = ['system', 'user', 'assistant'] as const

export interface LoggedMessage {
  role: (typeof LOGGED_ROLES)[number]
  text: string
}

/** Roles and lengths of earlier messages, by which their joined text is divided again. */
export type MessageSpans = [role: LoggedMessage['role'], length: number][]

const lineOf = ({ role, text }: LoggedMessage) => `${role}: ${text}`

/** Earlier messages as one text, with what divides it. */
export function joinMessages(messages: LoggedMessage[]): Pick<LogDetails, 'context' | 'context_spans'> {
  if (!messages.length) return {}
  const context_spans = messages.map(({ role, text }): MessageSpans[number] => [role, text.length])
  return { context: messages.map(lineOf).join('\n'), context_spans }
}

/** System prompt, earlier messages and last input; without the response. Empty when nothing was kept. */
export function loggedMessages({ system_prompt, context, context_spans, input_content }: LogDetails): LoggedMessage[] {
  const before = context === undefined ? [] : context_spans ? divided(context, context_spans) : guessed(context)
  return [
    ...(system_prompt ? [{ role: 'system' as const, text: system_prompt }] : []),
    ...before,
    ...(input_content ? [{ role: 'user' as const, text: input_content }] : []),
  ]
}

/** A text that was cut at its limit ends within a message. */
function divided(context: string, spans: MessageSpans): LoggedMessage[] {
  let at = 0
  const messages: LoggedMessage[] = []
  for (const [role, length] of spans) {
    if (at >= context.length) break
    const from = at + `${role}: `.length
    // The last message that is left of a longer text also has its ellipsis.
    const isLast = from + length >= context.length - 1
    messages.push({ role, text: isLast ? context.slice(from) : context.slice(from, from + length) })
    at = isLast ? context.length : from + length + 1
  }
  return messages
}

/** Of entries without spans: a line that begins with a role begins a message. */
function guessed(context: string): LoggedMessage[] {
  const pieces = context.split(/^(system|user|assistant): /m).slice(1)
  return pieces.flatMap((role, index) =>
    index % 2 ? [] : [{ role: role as LoggedMessage['role'], text: pieces[index + 1]!.replace(/\n$/, '') }],
  )
}
