/**
 * OpenAI's transcriptions of audio, and translations of audio into English.
 * https://platform.openai.com/docs/api-reference/audio (read 2026-11)
 */
import { estimateTokens } from '../../pure/estimate-tokens.ts'
import type { Json } from '../../pure/json.ts'
import { usageOf } from '../canonical/chat.ts'
import type {
  ClientFormat,
  MeteredFacts,
  PassedUpstream,
  ReportedUsage,
  RequestFacts,
  ResponseFacts,
} from '../format.ts'
import {
  type Flaw,
  firstOf,
  flagFlaw,
  isAbsent,
  isObject,
  modelFlaw,
  modelIn,
  required,
  textFlaw,
  wrong,
} from '../json/checks.ts'
import { readTokens } from '../json/token-usage.ts'
import { readError, writeErrorFrame } from '../openai-chat/api-error.ts'
import { TypedEventReader } from '../typed-events.ts'

const IMPLIED_MODEL = 'whisper-1'

export const openAiTranscriptions: ClientFormat & PassedUpstream = {
  name: 'openai-transcriptions',
  readFacts,
  promptTokens: body => tokensForSeconds(secondsOf(body.file)),
  promptText: body => String(body.prompt ?? ''),
  forward: (body, { model }) => ({ ...body, model }),
  responseFacts,
  streamReader: options => new TypedEventReader(events, options),
  meter,
  readError,
  writeErrorFrame,
  may_respond_whole: true,
}

function readFacts(body: Json): RequestFacts | Flaw {
  const flaw = firstOf(
    modelFlaw(body, IMPLIED_MODEL),
    fileFlaw(body),
    textFlaw(body, 'prompt'),
    textFlaw(body, 'response_format'),
    flagFlaw(body, 'stream'),
  )
  if (flaw) return flaw
  return {
    model: modelIn(body, IMPLIED_MODEL),
    stream: body.stream === true,
    // Whisper is billed by duration: no output tokens are reserved.
    max_output: modelIn(body, IMPLIED_MODEL).startsWith('whisper') ? 0 : undefined,
    choices: 1,
    wants_usage: true,
  }
}

function fileFlaw({ file }: Json): Flaw | undefined {
  if (isAbsent(file)) return required('file')
  if (!isObject(file)) return wrong('file')
}

/** Tokens of one minute; a started second counts in full. */
const TOKENS_PER_MINUTE = 1000
const tokensForSeconds = (seconds: number) => Math.round((Math.ceil(seconds) / 60) * TOKENS_PER_MINUTE)

const secondsOf = (file: unknown): number => (isObject(file) && typeof file.seconds === 'number' ? file.seconds : 0)

/** Ends of the cues of SRT and WebVTT: `00:00:04,120 --> 00:01:02.500`, hours optional in WebVTT. */
const cueEnd = /-->[ \t]*(?:(\d{1,6}):)?(\d{1,2}):(\d{1,2})[.,]\d{1,3}/g

/** Seconds at the end of the last cue of subtitles: the recording is at least as long. 0 without one. */
const lastCue = (text: string): number =>
  Math.max(
    0,
    ...[...text.matchAll(cueEnd)].map(
      ([, hours = 0, minutes, seconds]) => Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds),
    ),
  )

/** The body is JSON (`json`, `verbose_json`) or plain text (`text`, `srt`, `vtt`). */
function responseFacts(body: unknown): ResponseFacts | undefined {
  if (typeof body === 'string') return factsOf(body, { last_cue: lastCue(body) })
  if (!isObject(body) || typeof body.text !== 'string') return undefined
  const { usage, duration } = body
  const seconds = Number(duration)
  return factsOf(body.text, isObject(usage) ? usage : seconds > 0 ? { type: 'duration', seconds } : undefined)
}

const factsOf = (text: string, usage_report: Json | undefined): ResponseFacts => ({
  usage_report,
  // At least 1: silence is billed too.
  get output_estimate() {
    return Math.max(1, estimateTokens(text))
  },
  text,
})

const events = {
  completes: (type: string) => type === 'transcript.text.done',
  piece: ({ delta }: Json) => (typeof delta === 'string' ? delta : ''),
}

const SECONDS_MAX = 1_000_000

/** Tokens or seconds as the upstream reports them, else the duration that the gateway measured. */
function meter({ usage_report: report, output_estimate }: MeteredFacts): ReportedUsage {
  const reported = readTokens(report)
  if (reported) return { ...reported, by: 'upstream', missing: [] }
  const seconds = Number(report?.seconds)
  if (seconds > 0 && seconds <= SECONDS_MAX)
    return { usage: usageOf({ input: tokensForSeconds(seconds) }), by: 'upstream', doubts: [], missing: [] }
  const doubts = report?.seconds === undefined ? [] : [`seconds is ${String(report.seconds).slice(0, 40)}`]
  const cue = Number(report?.last_cue ?? 0)
  const least = cue <= SECONDS_MAX ? tokensForSeconds(cue) : 0
  if (!output_estimate) return { usage: usageOf(), by: 'gateway', doubts, missing: [] }
  return { usage: usageOf({ input: least }), by: 'gateway', doubts, missing: ['input'] }
}
