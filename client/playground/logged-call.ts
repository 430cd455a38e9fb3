/** A call of the usage log as a conversation: earlier messages as turns, the last one in the composer. */
import type { LoggedMessage } from '../../src/contracts/logged-messages.ts'
import {
  type Answer,
  type Exchange,
  newConversation,
  type PlaygroundConversation,
  type Settings,
} from './conversation.ts'
import { roughTokens } from './rough-tokens.ts'

const isSystem = ({ role }: LoggedMessage) => role === 'system'

/** Answers bear the name of the chosen model. Ids are the same on the server and in the browser. */
export function loggedConversation(messages: LoggedMessage[], settings: Settings): PlaygroundConversation {
  const system =
    messages
      .filter(isSystem)
      .map(({ text }) => text)
      .join('\n') || settings.system
  const said = messages.filter(message => !isSystem(message)).slice(0, -1)
  const turns: Exchange[] = []
  for (const { role, text } of said) {
    const id = `logged-${turns.length}`
    const last = turns.at(-1)
    if (role === 'user') turns.push({ id, text, images: [], answers: [] })
    else if (last)
      last.answers = [answer(`${last.id}-answer`, last.text, joined(last.answers[0]?.text, text), settings)]
  }
  return { ...newConversation({ ...settings, system }), turns }
}

/** What the composer holds: nothing is sent, and paid, before its button is pressed. */
export const loggedDraft = (messages: LoggedMessage[]): string =>
  messages.filter(message => !isSystem(message)).at(-1)?.text ?? ''

const joined = (before: string | undefined, text: string) => (before ? `${before}\n\n${text}` : text)

const answer = (id: string, question: string, text: string, { models }: Settings): Answer => ({
  id,
  model: models[0] ?? '',
  state: 'complete',
  text,
  thinking: '',
  started_at: 0,
  tokens: { input: roughTokens(question), output: roughTokens(text) },
})
