/**
 * Transcripts of the user's sound in a realtime session, which the upstream bills beside the responses.
 * https://platform.openai.com/docs/api-reference/realtime-server-events (read 2026-11)
 */

import { type Usage, usageOf } from '../../billing/usage.ts'
import { estimateTokens } from '../../pure/estimate-tokens.ts'
import type { Json } from '../../pure/json.ts'
import { numberOf, objectOf, textOf } from '../json/lenient-json.ts'
import { readTokens } from '../json/token-usage.ts'
import { inputAudioTokens } from './audio.ts'

interface Transcript {
  seconds: number
  /** Text tokens so far. */
  output: number
}

interface TranscriptUsage {
  usage: Usage
  doubts: string[]
  /** The usage is an estimate. */
  isCounted: boolean
}

export class Transcriptions {
  readonly #running = new Map<string, Transcript>()
  #isOn = false
  /** The session has no responses: a transcript without a report is estimated. */
  #isAll = false

  readSession(session: Json) {
    const input = objectOf(objectOf(session.audio).input)
    const asked = 'input_audio_transcription' in session ? session.input_audio_transcription : input.transcription
    if (asked !== undefined) this.#isOn = asked !== null
    if (/transcription/.test(`${session.type} ${session.object}`)) this.#isOn = this.#isAll = true
  }

  get isRunning(): boolean {
    return this.#running.size > 0
  }

  /** An item of sound was committed. */
  begin(item_id: unknown, seconds: number) {
    if (this.#isOn) this.#running.set(textOf(item_id), { seconds, output: 0 })
  }

  read({ item_id, delta }: Json) {
    const transcript = this.#running.get(textOf(item_id))
    if (transcript) transcript.output += estimateTokens(textOf(delta))
  }

  fail({ item_id }: Json) {
    this.#running.delete(textOf(item_id))
  }

  /** @returns undefined for a transcript that is part of the price of a response */
  end({ item_id, usage, transcript }: Json): TranscriptUsage | undefined {
    const running = this.#running.get(textOf(item_id))
    this.#running.delete(textOf(item_id))
    const report = objectOf(usage)
    const reported = readTokens(report)
    if (reported) return { ...reported, isCounted: false }
    const seconds = numberOf(report.seconds) ?? 0
    if (seconds > 0) return { usage: usageOf({ input_audio: inputAudioTokens(seconds) }), doubts: [], isCounted: false }
    if (!this.#isAll || !running) return undefined
    const output = estimateTokens(textOf(transcript))
    return { usage: usageFor({ ...running, output }), doubts: [], isCounted: true }
  }

  /** What the running ones have used. */
  unreported(): Usage[] {
    return this.#isAll ? [...this.#running.values()].map(usageFor) : []
  }
}

const usageFor = ({ seconds, output }: Transcript): Usage => usageOf({ input_audio: inputAudioTokens(seconds), output })
