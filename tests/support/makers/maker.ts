/** The servers of three makers for real clients: strict about every history, and as well or ill behaved as the scenario of a prompt. */
import { listen, type Received, type ScriptedAnswer } from '../upstream/http-server.ts'
import { isAgent, nextReply } from './agent-plan.ts'
import { anthropicWire } from './anthropic.ts'
import { type Conversation, type Json, type Reply, type ReportedTokens, Signatures } from './conversation.ts'
import { geminiWire } from './gemini.ts'
import { openAiWire } from './openai.ts'

export const makers = ['openai', 'anthropic', 'gemini'] as const
export type Maker = (typeof makers)[number]

export const scenarios = ['loop', 'limited', 'overflow', 'broken', 'slow'] as const
export type Scenario = (typeof scenarios)[number]

/** The reply after the streams that break. */
export const MENDED = 'Streams are whole again.'
/** Streams of a run that break: clients try again for minutes. */
const BREAKS_MAX = 3

export const GREETING = 'Hello from the maker.'

export interface Failure {
  status: number
  headers?: Record<string, string>
  body: Json
}

export interface MakerWire {
  /** Reads and checks. @throws Refused */
  read(received: Received, body: Json, signatures: Signatures): Conversation
  /** Server-sent events, one a frame. */
  frames(reply: Reply, of: Conversation, tokens: ReportedTokens, signatures: Signatures, received: Received): string[]
  whole(reply: Reply, of: Conversation, tokens: ReportedTokens, signatures: Signatures, received: Received): Json
  refusal(message: string): Failure
  limited: Failure
  overflow: Failure
  /** Overflow as a stream of status 200, where the maker streams it. */
  overflowFrames?(received: Received): string[] | undefined
  /** The failure of a response that is not streamed, and inside a stream. */
  broken: Failure
  brokenFrame(received: Received): string
  /** Addresses beside chats. */
  beside(received: Received): Json | undefined
}

const wires: Record<Maker, MakerWire> = { openai: openAiWire, anthropic: anthropicWire, gemini: geminiWire }

const noTokens: ReportedTokens = { prompt: 0, cached: 0, output: 0 }

/** What a mock saw since `begin`. */
export class MakerLog {
  /** Histories of the agent, oldest first. */
  turns: Conversation[] = []
  /** Bodies of all requests. */
  bodies: Json[] = []
  /** What the maker refused, besides the failures of the scenario. */
  violations: string[] = []
  /** Tokens reported in all requests. */
  tokens = noTokens
  /** Those of the agent: clients do not count the requests beside it. */
  agentTokens = noTokens
  /** Failures of the scenario. */
  failed = 0
  /** Streams that the caller left. */
  left = 0
  /** Pieces of the slow stream that were sent. */
  pieces = 0
}

const sse = { 'content-type': 'text/event-stream' }

export class MakerServer {
  log = new MakerLog()
  #signatures = new Signatures()
  #wire: MakerWire

  private constructor(readonly maker: Maker) {
    this.#wire = wires[maker]
  }

  static async start(maker: Maker): Promise<MakerServer & { url: string; stop(): void }> {
    const made = new MakerServer(maker)
    const server = await listen((received, answer) => made.#serve(received, answer))
    return Object.assign(made, { url: `http://127.0.0.1:${server.port}`, stop: server.stop })
  }

  begin() {
    this.log = new MakerLog()
  }

  async #serve(received: Received, answer: ScriptedAnswer) {
    const beside = this.#wire.beside(received)
    if (beside) return answer.json(beside)
    const { log } = this
    try {
      const body = JSON.parse(received.body || '{}') as Json
      log.bodies.push(body)
      const conversation = this.#wire.read(received, body, this.#signatures)
      if (!isAgent(conversation)) return await this.#say(sideReply(conversation), conversation, received, answer)
      log.turns.push(conversation)
      return await this.#play(scenarioIn(conversation), conversation, received, answer)
    } catch (error) {
      log.violations.push(String(error instanceof Error ? error.message : error))
      const { status, body } = this.#wire.refusal(String(error instanceof Error ? error.message : error))
      return answer.json(body, status)
    }
  }

  async #play(scenario: Scenario | undefined, conversation: Conversation, received: Received, answer: ScriptedAnswer) {
    const { log } = this
    const wire = this.#wire
    if (!scenario) return this.#say(closing(GREETING), conversation, received, answer)
    const failsOnce = scenario === 'limited' && log.failed === 0
    if (scenario === 'overflow' || scenario === 'broken' || failsOnce) log.failed++
    if (failsOnce) return answer.json(wire.limited.body, wire.limited.status, wire.limited.headers)
    if (scenario === 'limited') return this.#say(closing('Limits are over.'), conversation, received, answer)
    if (scenario === 'overflow') return this.#overflow(conversation, received, answer)
    if (scenario === 'broken' && log.failed > BREAKS_MAX)
      return this.#say(closing(MENDED), conversation, received, answer)
    if (scenario === 'broken') return this.#break(conversation, received, answer)
    if (scenario === 'slow') return this.#dawdle(conversation, received, answer)
    return this.#say(nextReply(conversation), conversation, received, answer)
  }

  async #say(reply: Reply, of: Conversation, received: Received, answer: ScriptedAnswer) {
    const tokens = this.#report(of)
    if (!of.streamed) return answer.json(this.#wire.whole(reply, of, tokens, this.#signatures, received))
    await answer.head(200, sse, 'chunked')
    for (const frame of this.#wire.frames(reply, of, tokens, this.#signatures, received)) await answer.write(frame)
    await answer.end()
  }

  async #overflow(conversation: Conversation, received: Received, answer: ScriptedAnswer) {
    const { status, body } = this.#wire.overflow
    const frames = conversation.streamed ? this.#wire.overflowFrames?.(received) : undefined
    if (!frames) return answer.json(body, status)
    await answer.head(200, sse, 'chunked')
    for (const frame of frames) await answer.write(frame)
    await answer.end()
  }

  /** The first half of a reply, then the failure. */
  async #break(of: Conversation, received: Received, answer: ScriptedAnswer) {
    const reply = closing('A stream that breaks.')
    if (!of.streamed) return answer.json(this.#wire.broken.body, this.#wire.broken.status)
    const frames = this.#wire.frames(reply, of, noTokens, this.#signatures, received)
    await answer.head(200, sse, 'chunked')
    for (const frame of frames.slice(0, Math.ceil(frames.length / 2))) await answer.write(frame)
    await answer.write(this.#wire.brokenFrame(received))
    await answer.end()
  }

  /** The first half of a reply, then a piece every 50 ms until the caller has gone. */
  async #dawdle(of: Conversation, received: Received, answer: ScriptedAnswer) {
    const reply = closing(Array.from({ length: 60 }, (_, index) => `Step ${index}. `).join(''))
    const frames = this.#wire.frames(reply, of, this.#report(of), this.#signatures, received)
    await answer.head(200, sse, 'chunked')
    for (const frame of frames) {
      if (answer.gone) break
      await answer.write(frame)
      this.log.pieces++
      await Bun.sleep(50)
    }
    if (answer.gone) this.log.left++
    await answer.end()
  }

  /** Other figures for each turn, so that none can stand for another. */
  #report(of: Conversation): ReportedTokens {
    const { length } = of.rounds
    const one = { prompt: 1_500 + 130 * length, cached: 1_024, output: 70 + 7 * length }
    this.log.tokens = sumOf(this.log.tokens, one)
    if (isAgent(of)) this.log.agentTokens = sumOf(this.log.agentTokens, one)
    return one
  }
}

const sumOf = (one: ReportedTokens, other: ReportedTokens): ReportedTokens => ({
  prompt: one.prompt + other.prompt,
  cached: one.cached + other.cached,
  output: one.output + other.output,
})

const closing = (text: string): Reply => ({ thinking: 'So be it.', text, calls: [] })

/** A reply to requests without tools: first calls, titles, summaries. */
const sideReply = ({ json }: Conversation): Reply => ({
  thinking: '',
  text: json ? '{"title":"Three files","isNewTopic":true}' : GREETING,
  calls: [],
})

/** A prompt without a scenario gets a greeting: a first call, or what a client asks after it has compacted its history. */
const scenarioIn = ({ prompt }: Conversation): Scenario | undefined => {
  const name = /\bScenario (\w+)\b/.exec(prompt)?.[1]
  return scenarios.find(one => one === name)
}
