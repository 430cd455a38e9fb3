/** Writes a ChatRequest as the body of a prediction. https://replicate.com/docs/reference/http#predictions.create (read 2026-11) */
import type { Json } from '../../pure/json.ts'
import type { ChatMessage, ChatRequest, Part } from '../canonical/chat.ts'
import { jsonInstruction } from '../json/json-instruction.ts'
import { objectOf } from '../json/lenient-json.ts'
import { lowered } from '../json/lowered.ts'
import { urlOf } from '../media/data-url.ts'
import { plainText } from '../media/plain-text.ts'
import { inputsOf } from './inputs.ts'
import type { PredictionBody } from './wire.ts'

/** The version of a model is the end of its name, or all of it. */
export const versionIn = (model: string): string | undefined => /(?:^|:)([\da-f]{40,64})$/.exec(model)?.[1]

export function writeRequest(request: ChatRequest): PredictionBody {
  const { model, stream, max_output, sampling, reasoning } = request
  const { system, limit, images, sampling: known, effort } = inputsOf(model)
  const instructions = instructionsOf(request)
  const pictures = picturesIn(request)
  const chosen = Object.entries(sampling).filter(([name, value]) => value !== undefined && known.includes(name))
  const version = versionIn(model)
  return {
    version,
    stream: stream || undefined,
    input: {
      prompt: promptOf(request),
      ...(instructions && { [system]: instructions }),
      ...(max_output !== undefined && { [limit]: max_output }),
      ...Object.fromEntries(chosen),
      ...(effort && reasoning?.effort && { [effort]: reasoning.effort }),
      ...(pictures.length && { [images.name]: images.isList ? pictures : pictures.at(-1) }),
    },
  }
}

function instructionsOf({ system, output }: ChatRequest): string {
  const wish = output && output.kind !== 'text' ? [jsonInstruction(output)] : []
  return [...system.map(({ text }) => text), ...wish].filter(Boolean).join('\n\n')
}

/** One message of the user stands alone; a conversation is written with the role before each message. */
function promptOf({ messages }: ChatRequest): string {
  const [only] = messages
  if (messages.length === 1 && only!.role === 'user') return textIn(only!) || NO_TEXT
  const lines = messages.map(message => `${roles[message.role]}: ${textIn(message) || NO_TEXT}`)
  return [...lines, `${roles.assistant}:`].join('\n\n')
}

/** Stands for a message without text. */
const NO_TEXT = '...'

const roles: Record<ChatMessage['role'], string> = { system: 'System', user: 'User', assistant: 'Assistant' }

const textIn = ({ parts }: ChatMessage): string => parts.flatMap(textsOf).filter(Boolean).join('\n')

function textsOf(part: Part): string[] {
  if (part.kind === 'text' || part.kind === 'refusal') return [part.text]
  return part.kind === 'file' ? [plainText(part.source) ?? ''] : []
}

const picturesIn = ({ messages }: ChatRequest): string[] =>
  messages.flatMap(({ parts }) => parts.flatMap(part => (part.kind === 'image' ? (urlOf(part.source) ?? []) : [])))

export function limitOutput(body: Json, limit: number, model: string): Json {
  const input = objectOf(body.input)
  const { limit: name } = inputsOf(model)
  return { ...body, input: { ...input, [name]: lowered(input[name], limit) } }
}
