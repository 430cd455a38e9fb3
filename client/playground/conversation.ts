/** Conversations of the playground, and the requests that they make. */
import type { Slip } from '../components/receipt.tsx'

/** 0 for a temperature or a maximum of tokens: the field is not sent. */
export interface Settings {
  group: string
  /** One model, or two that answer side by side. */
  models: string[]
  temperature: number
  max_tokens: number
  system: string
}

/** What a call cost, from the usage log. */
export interface AnswerBill {
  slip: Slip
  prompt_tokens: number
  completion_tokens: number
  duration_ms?: number
}

export type AnswerState = 'waiting' | 'streaming' | 'complete' | 'stopped' | 'error'

export interface Answer {
  id: string
  model: string
  state: AnswerState
  text: string
  thinking: string
  /** Text of the error, with which the answer ended. */
  error?: string
  request_id?: string
  /** Unix milliseconds. */
  started_at: number
  duration_ms?: number
  /** Estimates until the bill is there. */
  tokens: { input: number; output: number }
  bill?: AnswerBill
}

/** A message and its answers, one for each model. */
export interface Exchange {
  id: string
  text: string
  /** Data URLs. */
  images: string[]
  answers: Answer[]
}

export interface PlaygroundConversation {
  /** Empty until the first message is sent. */
  id: string
  title: string
  /** Unix milliseconds. */
  created_at: number
  changed_at: number
  turns: Exchange[]
  /** Index of the first turn that is sent along: the context before it was cleared. */
  context_from: number
  settings: Settings
}

export const newId = (): string => Date.now().toString(36) + Math.random().toString(36).slice(2, 8)

export const newConversation = (settings: Settings): PlaygroundConversation => ({
  id: '',
  title: '',
  created_at: 0,
  changed_at: 0,
  turns: [],
  context_from: 0,
  settings,
})

export const newAnswer = (model: string): Answer => ({
  id: newId(),
  model,
  state: 'waiting',
  text: '',
  thinking: '',
  started_at: Date.now(),
  tokens: { input: 0, output: 0 },
})

export const isRunning = ({ state }: Answer): boolean => state === 'waiting' || state === 'streaming'

export const answersOf = ({ turns }: PlaygroundConversation): Answer[] => turns.flatMap(turn => turn.answers)

const TITLE_MAX = 60

/** The beginning of the first message. */
export function titleOf(text: string): string {
  const line = text.trim().replace(/\s+/g, ' ')
  return line.length > TITLE_MAX ? `${line.slice(0, TITLE_MAX - 1)}…` : line
}

type Part = { type: 'text'; text: string } | { type: 'image_url'; image_url: { url: string } }

export interface PlaygroundMessage {
  role: 'system' | 'user' | 'assistant'
  content: string | Part[]
}

export interface ChatBody {
  model: string
  messages: PlaygroundMessage[]
  stream: boolean
  temperature?: number
  max_tokens?: number
  group?: string
}

/** The request for an answer to `turns[at]` by the model in this place. Turns without an answer are left out. */
export function chatBody(
  { turns, context_from, settings }: PlaygroundConversation,
  at: number,
  place: number,
  model: string,
) {
  const { system, temperature, max_tokens, group } = settings
  const messages: PlaygroundMessage[] = system.trim() ? [{ role: 'system', content: system }] : []
  for (const turn of turns.slice(context_from <= at ? context_from : 0, at)) {
    const answer = turn.answers[place] ?? turn.answers[0]
    if (answer?.text) messages.push(userMessage(turn), { role: 'assistant', content: answer.text })
  }
  messages.push(userMessage(turns[at]!))
  const body: ChatBody = { model, messages, stream: true, group }
  if (temperature > 0) body.temperature = temperature
  if (max_tokens > 0) body.max_tokens = max_tokens
  return body
}

function userMessage({ text, images }: Pick<Exchange, 'text' | 'images'>): PlaygroundMessage {
  if (!images.length) return { role: 'user', content: text }
  const pictures = images.map((url): Part => ({ type: 'image_url', image_url: { url } }))
  return { role: 'user', content: text ? [{ type: 'text', text }, ...pictures] : pictures }
}

/** The text of all messages, for an estimate of their tokens. */
export const textOf = (messages: PlaygroundMessage[]): string =>
  messages
    .flatMap(({ content }) =>
      typeof content === 'string' ? content : content.map(part => ('text' in part ? part.text : '')),
    )
    .join('\n')
