/**
 * OpenAI's speech: text to audio, as a file or as events.
 * https://platform.openai.com/docs/api-reference/audio (read 2026-11)
 */
import type { Json } from '../../pure/json.ts'
import { usageOf } from '../canonical/chat.ts'
import { bodyTokens } from '../embedding-input.ts'
import type {
  BillingBasis,
  ClientFormat,
  MeteredFacts,
  PassedUpstream,
  ReportedUsage,
  RequestFacts,
} from '../format.ts'
import { type Flaw, firstOf, isAbsent, modelFlaw, modelIn, required, textFlaw } from '../json/checks.ts'
import { readTokens } from '../json/token-usage.ts'
import { readError, writeErrorFrame } from '../openai-chat/api-error.ts'
import { storedPlaces } from '../stored-places.ts'
import { TypedEventReader } from '../typed-events.ts'

const IMPLIED_MODEL = 'tts-1'

export const openAiSpeech: ClientFormat & PassedUpstream = {
  name: 'openai-speech',
  readFacts,
  promptTokens,
  countablePrompt: body => (isBilledByCharacter(body) ? undefined : { texts: [body.input as string], tokens: 0 }),
  promptText: body => String(body.input),
  forward: (body, { model }) => ({ ...body, model }),
  // A response is a file or a stream; JSON is neither.
  responseFacts: () => undefined,
  streamReader: options => new TypedEventReader(events, options),
  meter,
  readError,
  writeErrorFrame,
}

/** A voice that its owner has made has an id, all others have names. */
export const speechPlaces = [{ kind: 'voice', at: 'voice.id' }] as const
const storedIn = storedPlaces(speechPlaces, { same: { extra_body: '' } })

function readFacts(body: Json): RequestFacts | Flaw {
  const { stored, id_flaw } = storedIn(body)
  const empty = isAbsent(body.input) || body.input === ''
  const flaw = firstOf(
    modelFlaw(body, IMPLIED_MODEL),
    id_flaw,
    empty ? required('input') : textFlaw(body, 'input'),
    textFlaw(body, 'stream_format'),
  )
  if (flaw) return flaw
  const stream = body.stream_format === 'sse'
  return {
    model: modelIn(body, IMPLIED_MODEL),
    stream,
    is_file: !stream,
    max_output: 0,
    choices: 1,
    wants_usage: true,
    stored,
  }
}

/** tts models are billed by character, newer models by token. */
function promptTokens(body: Json): number {
  const input = body.input as string
  return isBilledByCharacter(body) ? [...input].length : bodyTokens(body, 'input')
}

const isBilledByCharacter = (body: Json) => modelIn(body, IMPLIED_MODEL).startsWith('tts')

const events = {
  completes: (type: string) => type === 'speech.audio.done',
}

/** Characters are counted by the gateway, whatever the upstream reports. */
function meter({ usage_report, output_estimate }: MeteredFacts, { request = {} }: BillingBasis): ReportedUsage {
  const reported = isBilledByCharacter(request) ? undefined : readTokens(usage_report, 'output_audio')
  if (reported) return { ...reported, by: 'upstream', missing: [] }
  return { usage: usageOf(), by: 'gateway', doubts: [], missing: output_estimate ? ['input'] : [] }
}
