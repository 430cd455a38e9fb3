/**
 * Recorded providers that answer chats of any client in their own wire: with a report of a test's choice, and in steps
 * that stop where it wants them to.
 */
import type { ClientFormatName } from '../../../src/formats/canonical/chat.ts'
import { familyOf, isAvailable, type Provider, providerOf, providers } from '../../../src/providers/index.ts'
import { type Fixture, modelOf, type RecordedProvider, recordedProviders } from './fixtures.ts'
import type { Json, ScriptedResponse, Step } from './strict-provider.ts'

export interface Report {
  prompt: number
  output: number
}

export interface AnswerPlan {
  /** @param limit of output tokens that the request tells, under any of its names */
  report(limit: number | undefined): Report
  /** @param steps of the answer. @returns what runs before each of them */
  stepper?(steps: number): Step
}

const servesChats = (provider: Provider) => familyOf(provider).some(({ apis }) => apis.chat)

/** Every type of the registry that serves chats. @throws for a type without a recorded server or without a recorded chat */
export async function recordedChats(): Promise<RecordedProvider[]> {
  const recorded = await recordedProviders()
  const chats = recorded.filter(({ server }) => servesChats(providerOf(server.channel.type)!))
  const types = new Set(chats.map(({ server }) => server.channel.type))
  for (const { type, label } of providers.filter(one => isAvailable(one) && servesChats(one)))
    if (!types.has(type)) throw new Error(`type ${type} (${label}) has no server in tests/providers/fixtures`)
  for (const { name, fixtures } of chats)
    if (!fixtures.some(([, fixture]) => isAnswer(fixture)))
      throw new Error(`tests/providers/fixtures/${name} has no chat that succeeds`)
  return chats
}

export const chatOf = ({ fixtures, server }: RecordedProvider): Fixture =>
  Object.fromEntries(fixtures)[server.probe ?? 'chat']!

/** A model whose chats are recorded; for clients of Gemini one of its own API, where the provider has that. */
export function modelFor(provider: RecordedProvider, format: ClientFormatName): string {
  const native = provider.fixtures.find(([, { sent }]) => / \/v1beta\/models\/.*:generateContent$/.test(sent.to))
  return modelOf((format === 'gemini' && native ? native[1] : chatOf(provider)).asks)
}

/** Answers the requests of a channel by the recorded calls to the same address. */
export function play({ name, fixtures, upstream }: RecordedProvider, channel: Json, { report, stepper }: AnswerPlan) {
  const all = fixtures.map(([, fixture]) => fixture).filter(isAnswer)
  // Last those of channels with settings, and those without a report.
  const isLast = ({ channel, bill }: Fixture) => Number(channel !== undefined || bill?.counted_locally === true)
  const answers = all.toSorted((one, other) => isLast(one) - isLast(other))
  let reported: Report | undefined
  upstream.answersBy(channel, (received, body) => {
    const line = `${received.method} ${received.target}`
    const beside = [answers.map(fixture => fixture.beside?.[line]).find(Boolean) ?? []].flat().at(-1)
    if (beside) return played(beside, reported, beside.events && stepper)
    const fixture = recordedFor(answers, line, body)
    if (!fixture) return `${name} has no recorded answer to ${line}${body.stream ? ', streamed' : ''}`
    reported = report(limitIn(body))
    // The steps are those of the stream that the answer names.
    const isNamed = Object.values(fixture.beside ?? {}).some(answer => [answer].flat().some(({ events }) => events))
    return played(fixture.answers, reported, isNamed ? undefined : stepper)
  })
}

function played(says: ScriptedResponse, report: Report | undefined, stepper: AnswerPlan['stepper']) {
  const pieces = says.events ?? says.frames
  const steps = pieces ? pieces.length + 2 : 2
  return { says: report ? reporting(says, report) : says, step: stepper?.(steps) }
}

const isAnswer = ({ answers, told, asks }: Fixture): boolean =>
  (answers.status ?? 200) < 300 && told.status === 200 && !told.error && told.done !== false && !asks.form

/** A call to the same address with the same wish for a stream; of the same model where there is one. */
function recordedFor(answers: Fixture[], line: string, { stream = false, model }: Json): Fixture | undefined {
  const found = answers.filter(({ sent }) => sent.to === line && (sent.body.stream ?? false) === stream)
  return found.find(({ sent }) => sent.body.model === model) ?? found[0]
}

const LIMIT =
  /"(?:max_tokens|max_completion_tokens|max_output_tokens|maxOutputTokens|maxTokens|max_new_tokens|num_predict|MaxTokens)":(\d+)/

/** Of any wire. */
function limitIn(body: Json): number | undefined {
  const limit = LIMIT.exec(JSON.stringify(body))?.[1]
  return limit === undefined ? undefined : Number(limit)
}

const counts: [names: RegExp, count: (report: Report) => number][] = [
  [/cache\w*_tokens|cached\w*|num_cached_tokens|ephemeral\w*|\w*cachedContent\w*/, () => 0],
  [/prompt_cache_hit_tokens|reasoning_tokens|thoughtsTokenCount|audio_tokens|text_tokens/, () => 0],
  [
    /prompt_tokens|input_tokens|inputTokens|PromptTokens|promptTokenCount|input_token_count|input_count|prompt_eval_count/,
    ({ prompt }) => prompt,
  ],
  [
    /completion_tokens|output_tokens|outputTokens|CompletionTokens|candidatesTokenCount|output_token_count|output_count|eval_count/,
    ({ output }) => output,
  ],
  [/total_tokens|totalTokens|TotalTokens|totalTokenCount|token_count/, ({ prompt, output }) => prompt + output],
]

/** The same answer with these counts, also in the JSON within its texts. */
function reporting(says: ScriptedResponse, report: Report): ScriptedResponse {
  let text = JSON.stringify(says)
  for (const [names, count] of counts)
    text = text.replace(new RegExp(`(\\\\*"(?:${names.source})\\\\*": ?)\\d+`, 'g'), `$1${count(report)}`)
  return JSON.parse(text)
}

const messages = [{ role: 'user', content: 'Say hello' }]

/** A chat in the format of a client, with no more than it must have. */
export function askIn(format: ClientFormatName, model: string, stream: boolean): [path: string, body: Json] {
  switch (format) {
    case 'openai-chat':
      return ['/v1/chat/completions', { model, messages, stream }]
    case 'openai-responses':
      return ['/v1/responses', { model, input: 'Say hello', stream }]
    case 'anthropic':
      return ['/v1/messages', { model, max_tokens: 100_000, messages, stream }]
    case 'gemini': {
      const deed = stream ? 'streamGenerateContent?alt=sse' : 'generateContent'
      return [`/v1beta/models/${model}:${deed}`, { contents: [{ role: 'user', parts: [{ text: 'Say hello' }] }] }]
    }
  }
}

export const clientFormats: ClientFormatName[] = ['openai-chat', 'openai-responses', 'anthropic', 'gemini']
