/**
 * A transcript in the forms that OpenAI's clients ask for.
 * https://platform.openai.com/docs/api-reference/audio/createTranscription (read 2026-11)
 */
import { numberOf, textOf } from '../../formats/json/lenient-json.ts'
import type { Json } from '../../pure/json.ts'

export interface Transcript {
  text: string
  /** Length of the recording. */
  seconds?: number
  /** With `begin_time` and `end_time` in milliseconds, and `text`. */
  sentences: Json[]
  /** Usage of models that count tokens. */
  tokens?: Json
}

export function writeTranscript({ text, seconds, sentences, tokens }: Transcript, request: Json): unknown {
  const segments = sentences.map((sentence, id) => ({
    id,
    start: (numberOf(sentence.begin_time) ?? 0) / 1000,
    end: (numberOf(sentence.end_time) ?? 0) / 1000,
    text: textOf(sentence.text),
  }))
  switch (request.response_format) {
    case 'text':
      return text
    case 'srt':
      return segments.map(({ id, ...cue }) => `${id + 1}\n${written(cue, ',')}`).join('\n')
    case 'vtt':
      return `WEBVTT\n\n${segments.map(cue => written(cue, '.')).join('\n')}`
    case 'verbose_json':
      return {
        task: 'transcribe',
        language: textOf(request.language),
        duration: seconds,
        text,
        segments,
        ...usageOf(seconds, tokens),
      }
    default:
      return { text, ...usageOf(seconds, tokens) }
  }
}

const usageOf = (seconds: number | undefined, tokens: Json | undefined): Json => {
  if (seconds !== undefined) return { usage: { type: 'duration', seconds } }
  return tokens ? { usage: { type: 'tokens', ...tokens } } : {}
}

interface Cue {
  start: number
  end: number
  text: string
}

const written = ({ start, end, text }: Cue, point: string): string =>
  `${timeOf(start, point)} --> ${timeOf(end, point)}\n${text}\n`

/** Hours, minutes, seconds and milliseconds. */
function timeOf(seconds: number, point: string): string {
  const [whole, fraction] = seconds.toFixed(3).split('.')
  const parts = [Math.floor(Number(whole) / 3600), Math.floor(Number(whole) / 60) % 60, Number(whole) % 60]
  return parts.map(part => String(part).padStart(2, '0')).join(':') + point + fraction
}
