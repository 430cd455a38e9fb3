/**
 * Reads Gemini's `embedContent` (one text) and `batchEmbedContents` (many), converted to and from OpenAI embeddings.
 * https://ai.google.dev/api/embeddings (read 2026-11)
 */
import type { Json } from '../../pure/json.ts'
import { bodyTokens, inputTokens } from '../embedding-input.ts'
import type { ClientFormat, RequestFacts, ResponseFacts } from '../format.ts'
import { type Flaw, firstOf, modelFlaw, modelIn, required } from '../json/checks.ts'
import { objectOf, objectsOf, textOf } from '../json/lenient-json.ts'
import { openAiEmbeddings } from '../openai-embeddings/index.ts'
import { readError, writeErrorFrame } from './api-error.ts'
import { fieldOf } from './names.ts'

interface EmbeddingShape {
  name: string
  requests(body: Json): Json[]
  /** @returns the vectors of a response */
  read(body: Json): unknown[]
  write(vectors: { values: unknown }[]): Json
}

const textIn = ({ content }: Json): string =>
  objectsOf(objectOf(content).parts)
    .map(({ text }) => textOf(text))
    .join('\n')

/** Settings of one text besides its content: `taskType`, `title`, `outputDimensionality`. */
const settingsIn = ({ content: _, model: __, stream: ___, ...settings }: Json): Json => settings

function embeddings({ name, requests, read, write }: EmbeddingShape): ClientFormat {
  const textsIn = (body: Json) => requests(body).map(textIn)
  return {
    name,
    readFacts(body): RequestFacts | Flaw {
      const texts = textsIn(body)
      const flaw = firstOf(modelFlaw(body), texts.length && texts.every(Boolean) ? undefined : required('content'))
      return flaw ?? { model: modelIn(body), stream: false, max_output: 0, choices: 1, wants_usage: false }
    },
    promptTokens: body =>
      requests(body).reduce((sum, request) => sum + bodyTokens(settingsIn(request)), inputTokens(textsIn(body))),
    promptText: body => textsIn(body).join('\n'),
    conversion: {
      convertRequest(body, owner) {
        const dimensions = fieldOf(requests(body)[0]!, 'outputDimensionality').value
        return {
          model: body.model,
          input: textsIn(body),
          ...(dimensions !== undefined && { dimensions }),
          ...(owner === 'gemini' && { wishes: requests(body).map(settingsIn) }),
        }
      },
      convertResponse: response => write(objectsOf(response.data).map(({ embedding }) => ({ values: embedding }))),
    },
    responses: { ...openAiEmbeddings, name, readError, responseFacts: body => responseFacts(body, read) },
    writeErrorFrame,
  }
}

/** Newer models report the tokens of the texts. */
function responseFacts(body: unknown, read: EmbeddingShape['read']): ResponseFacts | undefined {
  const response = objectOf<Json>(body) as Json
  const vectors = read(response)
  if (!vectors.length) return undefined
  const { promptTokenCount: prompt_tokens } = objectOf(response.usageMetadata)
  return { usage_report: { prompt_tokens }, output_estimate: vectors.length, text: '' }
}

export const embedContent = embeddings({
  name: 'gemini-embed-content',
  requests: body => [body],
  read: ({ embedding }) => objectsOf([embedding]),
  write: ([embedding]) => ({ embedding }),
})

export const batchEmbedContents = embeddings({
  name: 'gemini-batch-embed-contents',
  requests: ({ requests }) => objectsOf(requests),
  read: ({ embeddings }) => objectsOf(embeddings),
  write: embeddings => ({ embeddings }),
})
