/** State of the playground: the conversations, and the answers that are streaming in. */
import { flushSync } from 'react-dom'
import {
  type Answer,
  type AnswerBill,
  type AnswerState,
  answersOf,
  chatBody,
  type Exchange,
  isRunning,
  newAnswer,
  newConversation,
  newId,
  type PlaygroundConversation,
  type Settings,
  textOf,
  titleOf,
} from './conversation.ts'
import { PlaygroundDatabase, type SavedPrompt } from './database.ts'
import { paced } from './paced.ts'
import { RoughTokens, roughTokens } from './rough-tokens.ts'
import { AnswerFailed, streamAnswer } from './stream-answer.ts'

export interface PlaygroundState {
  conversation: PlaygroundConversation
  /** Without the open one when it is new; the last changed first. */
  conversations: PlaygroundConversation[]
  prompts: SavedPrompt[]
}

export interface MessageDraft {
  text: string
  images: string[]
}

export class PlaygroundSession {
  #state: PlaygroundState
  #listeners = new Set<() => void>()
  /** Ends each running answer, by its id. */
  #running = new Map<string, () => void>()
  #database: PlaygroundDatabase

  constructor(user_id: number, conversation: PlaygroundConversation) {
    this.#database = new PlaygroundDatabase(user_id)
    this.#state = { conversation, conversations: [], prompts: [] }
  }

  get = () => this.#state

  subscribe = (listener: () => void) => {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** Reads what the browser has kept. @param takeSettings whether the settings of the last visit apply */
  async load(takeSettings: boolean) {
    const stored = await this.#database.load().catch(() => undefined)
    if (!stored) return
    const conversations = stored.conversations.map(endRunning).sort(lastChangedFirst)
    const { conversation } = this.#state
    const { id: _, ...settings } = (stored.settings ?? {}) as Settings & { id?: string }
    const isUntouched = takeSettings && stored.settings && !conversation.turns.length
    this.#set({
      conversations,
      prompts: stored.prompts,
      conversation: isUntouched
        ? { ...conversation, settings: { ...conversation.settings, ...settings } }
        : conversation,
    })
  }

  /** Stops every answer. */
  close() {
    this.stop()
    this.#database.close()
  }

  change(settings: Partial<Settings>) {
    const { conversation } = this.#state
    const changed = { ...conversation.settings, ...settings }
    this.#set({ conversation: { ...conversation, settings: changed } })
    this.#try(this.#database.keepSettings(changed))
    if (conversation.id) this.#keep()
  }

  open(id: string) {
    this.stop()
    const found = this.#state.conversations.find(one => one.id === id)
    if (found) this.#set({ conversation: found })
  }

  start() {
    this.stop()
    this.#set({ conversation: newConversation(this.#state.conversation.settings) })
  }

  rename(id: string, title: string) {
    const found = this.#state.conversations.find(one => one.id === id)
    if (found && title.trim()) this.#replace({ ...found, title: title.trim() })
  }

  remove(id: string) {
    const { conversation, conversations } = this.#state
    if (conversation.id === id) this.start()
    this.#set({ conversations: conversations.filter(one => one.id !== id) })
    this.#try(this.#database.drop(id))
  }

  restore(conversation: PlaygroundConversation) {
    this.#set({ conversations: [...this.#state.conversations, conversation].sort(lastChangedFirst) })
    this.#try(this.#database.keep(conversation))
  }

  savePrompt(text: string) {
    const prompt = { id: newId(), text }
    this.#set({ prompts: [...this.#state.prompts, prompt] })
    this.#try(this.#database.keepPrompt(prompt))
  }

  removePrompt(id: string) {
    this.#set({ prompts: this.#state.prompts.filter(prompt => prompt.id !== id) })
    this.#try(this.#database.dropPrompt(id))
  }

  /** Later messages are sent without those so far; once more takes it back. */
  clearContext() {
    const { conversation } = this.#state
    const { turns, context_from } = conversation
    this.#set({ conversation: { ...conversation, context_from: context_from === turns.length ? 0 : turns.length } })
    this.#keep()
  }

  send({ text, images }: MessageDraft, models: string[]) {
    const { conversation } = this.#state
    const turn: Exchange = { id: newId(), text, images, answers: [] }
    this.#set({
      conversation: {
        ...conversation,
        id: conversation.id || newId(),
        title: conversation.title || titleOf(text),
        created_at: conversation.created_at || Date.now(),
        turns: [...conversation.turns, turn],
      },
    })
    this.retry(turn.id, models)
  }

  /** Answers a message again, in place of its answers so far. */
  retry(turn_id: string, models: string[]) {
    const answers = models.map(newAnswer)
    this.#changeTurn(turn_id, turn => {
      for (const answer of turn.answers) this.#running.get(answer.id)?.()
      return { ...turn, answers }
    })
    for (const [place, answer] of answers.entries()) void this.#run(turn_id, answer, place)
  }

  /** Sends another text in place of a message; what followed it is dropped. */
  resend(turn_id: string, text: string, models: string[]) {
    this.stop()
    const { conversation } = this.#state
    const at = conversation.turns.findIndex(turn => turn.id === turn_id)
    const turns = conversation.turns.slice(0, at + 1)
    const context_from = Math.min(conversation.context_from, at)
    this.#set({ conversation: { ...conversation, turns, context_from } })
    this.#changeTurn(turn_id, turn => ({ ...turn, text }))
    this.retry(turn_id, models)
  }

  removeTurn(turn_id: string) {
    const { conversation } = this.#state
    const at = conversation.turns.findIndex(turn => turn.id === turn_id)
    for (const answer of conversation.turns[at]?.answers ?? []) this.#running.get(answer.id)?.()
    const context_from = conversation.context_from - Number(at < conversation.context_from)
    const turns = conversation.turns.filter(turn => turn.id !== turn_id)
    this.#set({ conversation: { ...conversation, turns, context_from } })
    this.#keep()
  }

  bill(answer: Answer, bill: AnswerBill) {
    this.#changeAnswer({ ...answer, bill })
    this.#keep()
  }

  stop() {
    for (const stop of [...this.#running.values()]) stop()
  }

  async #run(turn_id: string, answer: Answer, place: number) {
    const { conversation } = this.#state
    const at = conversation.turns.findIndex(turn => turn.id === turn_id)
    const body = chatBody(conversation, at, place, answer.model)
    const abort = new AbortController()
    const now: Answer = { ...answer, tokens: { input: roughTokens(textOf(body.messages)), output: 0 } }
    const counter = new RoughTokens()
    const drawing = paced(() => flushSync(() => this.#changeAnswer({ ...now })))
    const end = (state: AnswerState, error?: string) => {
      if (!this.#running.delete(answer.id)) return
      Object.assign(now, { state, error, duration_ms: Date.now() - now.started_at })
      abort.abort()
      drawing.finish()
      this.#keep()
    }
    this.#running.set(answer.id, () => end('stopped'))
    this.#keep()
    try {
      await streamAnswer(body, abort.signal, {
        started: request_id => Object.assign(now, { request_id }),
        piece: ({ text, thinking }) => {
          now.state = 'streaming'
          now.text += text
          now.thinking += thinking
          counter.add(text)
          counter.add(thinking)
          now.tokens = { ...now.tokens, output: counter.tokens }
          drawing.request()
        },
      })
      end('complete')
    } catch (error) {
      end('error', error instanceof AnswerFailed ? error.text : 'broken')
    }
  }

  #changeTurn(turn_id: string, change: (turn: Exchange) => Exchange) {
    const { conversation } = this.#state
    const turns = conversation.turns.map(turn => (turn.id === turn_id ? change(turn) : turn))
    this.#set({ conversation: { ...conversation, turns } })
  }

  /** Replaces an answer of the open conversation. */
  #changeAnswer(changed: Answer) {
    const { conversation } = this.#state
    const turns = conversation.turns.map(turn => {
      if (!turn.answers.some(answer => answer.id === changed.id)) return turn
      return { ...turn, answers: turn.answers.map(answer => (answer.id === changed.id ? changed : answer)) }
    })
    this.#set({ conversation: { ...conversation, turns } })
  }

  #set(change: Partial<PlaygroundState>) {
    this.#state = { ...this.#state, ...change }
    for (const listener of this.#listeners) listener()
  }

  /** Writes the open conversation down. */
  #keep() {
    const { conversation } = this.#state
    if (conversation.id) this.#replace({ ...conversation, changed_at: Date.now() })
  }

  #replace(changed: PlaygroundConversation) {
    const { conversation, conversations } = this.#state
    const others = conversations.filter(one => one.id !== changed.id)
    this.#set({
      conversation: conversation.id === changed.id ? changed : conversation,
      conversations: [changed, ...others].sort(lastChangedFirst),
    })
    this.#try(this.#database.keep(changed))
  }

  /** Without storage the playground works for as long as the page is open. */
  #try(work: Promise<void>) {
    work.catch(() => {})
  }
}

const lastChangedFirst = (a: PlaygroundConversation, b: PlaygroundConversation) => b.changed_at - a.changed_at

/** Answers that a closed page was reading have ended with it. */
function endRunning(conversation: PlaygroundConversation): PlaygroundConversation {
  if (!answersOf(conversation).some(isRunning)) return conversation
  const turns = conversation.turns.map(turn => ({
    ...turn,
    answers: turn.answers.map(answer => (isRunning(answer) ? { ...answer, state: 'stopped' as const } : answer)),
  }))
  return { ...conversation, turns }
}
