/**
 * Writes a ChatResponse as the response body of generateContent.
 * https://ai.google.dev/api/generate-content (read 2026-11)
 */
import type {
  Alternative,
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
import { writeFinish } from './finish-reason.ts'
import { writeGrounding } from './grounding.ts'
import { writeUsage } from './usage.ts'
import type {
  GeminiCandidate,
  GeminiContent,
  GeminiEnd,
  GeminiHead,
  GeminiLogprob,
  GeminiLogprobs,
  GeminiPart,
  GeminiResponse,
} from './wire.ts'

export const writeResponse = ({ id, choices, usage }: ChatResponse, label: ResponseLabel): GeminiResponse => ({
  candidates: choices.map((choice, index) => writeChoice(choice, index)),
  ...writeTail(usage),
  ...writeHead(id, label),
})

/** Response ids have no prefix, so the id of another format is kept. */
export const writeHead = (id: string, label: ResponseLabel): GeminiHead => ({
  modelVersion: label.request.model,
  responseId: id || responseId('', '-', label),
})

export const writeTail = (usage: Usage | undefined): Pick<GeminiResponse, 'usageMetadata'> =>
  usage ? { usageMetadata: writeUsage(usage) } : {}

function writeChoice({ parts, finish, logprobs }: ChatChoice, index: number): GeminiCandidate {
  const texts = parts.filter((part): part is TextPart => part.kind === 'text')
  const written = parts.flatMap(writePart)
  return {
    content: written.length ? { role: 'model', parts: written } : noContent,
    ...writeEnd(
      finish,
      parts.some(({ kind }) => kind === 'refusal'),
      texts,
    ),
    logprobsResult: logprobs && writeLogprobs(logprobs),
    index,
  }
}

/**
 * A content without text, as Google sends it at the end of a stream: its SDKs drop a turn in which a content has no
 * parts, and the prompt before it. https://ai.google.dev/api/generate-content (read 2026-11)
 */
export const noContent: GeminiContent = { role: 'model', parts: [{ text: '' }] }

/** The fields of a complete candidate. */
export function writeEnd(finish: Finish, refused: boolean, texts: TextPart[]): GeminiEnd {
  return { finishReason: writeFinish(finish, refused), groundingMetadata: writeGrounding(texts) }
}

export function writePart(part: ResponsePart): GeminiPart[] {
  switch (part.kind) {
    case 'text':
      return part.text || part.signature ? [{ text: part.text, ...sign(part) }] : []
    case 'refusal':
      return [{ text: part.text }]
    case 'thinking':
      return part.text || part.signature ? [{ text: part.text, thought: true, ...sign(part) }] : []
    case 'tool_call': {
      const { id, name, arguments: text } = part
      return [{ functionCall: { id: id || undefined, name, args: parsedObject(text) }, ...sign(part) }]
    }
    case 'image':
    case 'audio': {
      const media = dataOf(part.source)
      if (media) return [{ inlineData: { mimeType: media.media_type, data: media.data } }]
      const fileUri = urlOf(part.source)
      return fileUri ? [{ fileData: { mimeType: 'image/png', fileUri } }] : []
    }
    case 'native':
      return [part.value as GeminiPart]
  }
}

const sign = ({ signature }: Pick<TextPart, 'signature'>): Pick<GeminiPart, 'thoughtSignature'> =>
  signature ? { thoughtSignature: wrap(signature, 'gemini') } : {}

export const writeLogprobs = (tokens: TokenLogprob[]): GeminiLogprobs => ({
  chosenCandidates: tokens.map(writeLogprob),
  topCandidates: tokens.map(({ alternatives }) => ({ candidates: alternatives.map(writeLogprob) })),
})

const writeLogprob = ({ token, logprob }: Alternative): GeminiLogprob => ({ token, logProbability: logprob })
