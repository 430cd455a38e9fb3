/**
 * Writes a ChatResponse as the response body of generateContent.
 * https://ai.google.dev/api/generate-content (read 2026-11)
 */
import type { Json } from '../../pure/json.ts'
import type {
  ChatChoice,
  ChatResponse,
  Finish,
  ResponsePart,
  TextPart,
  TokenLogprob,
  Usage,
} from '../canonical/chat.ts'
import { responseId } from '../canonical/ids.ts'
import type { ResponseLabel } from '../format.ts'
import { parsedObject } from '../json/lenient-json.ts'
import { dataOf, urlOf } from '../media/data-url.ts'
import { wrap } from '../translate/signature.ts'
import { writeFinish } from './finish.ts'
import { writeGrounding } from './grounding.ts'
import { writeUsage } from './usage.ts'

export const writeResponse = ({ id, choices, usage }: ChatResponse, label: ResponseLabel): Json => ({
  candidates: choices.map((choice, index) => writeChoice(choice, index)),
  ...writeTail(usage),
  ...writeHead(id, label),
})

/** Response ids have no prefix, so the id of another format is kept. */
export const writeHead = (id: string, label: ResponseLabel): Json => ({
  modelVersion: label.request.model,
  responseId: id || responseId('', '-', label),
})

export const writeTail = (usage: Usage | undefined): Json => (usage ? { usageMetadata: writeUsage(usage) } : {})

function writeChoice({ parts, finish, logprobs }: ChatChoice, index: number): Json {
  const texts = parts.filter((part): part is TextPart => part.kind === 'text')
  const written = parts.flatMap(writePart)
  return {
    content: written.length ? { role: 'model', parts: written } : noContent,
    ...writeEnd(
      finish,
      parts.some(({ kind }) => kind === 'refusal'),
      texts,
    ),
    ...(logprobs && { logprobsResult: writeLogprobs(logprobs) }),
    index,
  }
}

/**
 * A content without text, as Google sends it at the end of a stream: its SDKs drop a turn in which a content has no
 * parts, and the prompt before it. https://ai.google.dev/api/generate-content (read 2026-11)
 */
export const noContent: Json = { role: 'model', parts: [{ text: '' }] }

/** The fields of a complete candidate. */
export function writeEnd(finish: Finish, refused: boolean, texts: TextPart[]): Json {
  const groundingMetadata = writeGrounding(texts)
  return { finishReason: writeFinish(finish, refused), ...(groundingMetadata && { groundingMetadata }) }
}

export function writePart(part: ResponsePart): Json[] {
  switch (part.kind) {
    case 'text':
      return part.text || part.signature ? [{ text: part.text, ...sign(part) }] : []
    case 'refusal':
      return [{ text: part.text }]
    case 'thinking':
      return part.text || part.signature ? [{ text: part.text, thought: true, ...sign(part) }] : []
    case 'tool_call': {
      const { id, name, arguments: text } = part
      return [{ functionCall: { ...(id && { id }), name, args: parsedObject(text) }, ...sign(part) }]
    }
    case 'image':
    case 'audio': {
      const media = dataOf(part.source)
      if (media) return [{ inlineData: { mimeType: media.media_type, data: media.data } }]
      const fileUri = urlOf(part.source)
      return fileUri ? [{ fileData: { mimeType: 'image/png', fileUri } }] : []
    }
    case 'native':
      return [part.value]
  }
}

const sign = ({ signature }: Pick<TextPart, 'signature'>): Json =>
  signature ? { thoughtSignature: wrap(signature, 'gemini') } : {}

export const writeLogprobs = (tokens: TokenLogprob[]): Json => ({
  chosenCandidates: tokens.map(({ token, logprob }) => ({ token, logProbability: logprob })),
  topCandidates: tokens.map(({ alternatives }) => ({
    candidates: alternatives.map(({ token, logprob }) => ({ token, logProbability: logprob })),
  })),
})
