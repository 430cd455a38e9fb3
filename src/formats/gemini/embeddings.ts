/** Google's vectors: one text at `embedContent`, many at `batchEmbedContents`; upstreams are asked in OpenAI's words. */

import type { Json } from '../../pure/json.ts'
import { inputTokens } from '../embedding-input.ts'
import type { ClientFormat, RequestFacts } from '../format.ts'
import { type Flaw, firstOf, modelFlaw, modelIn, required } from '../json/checks.ts'
import { objectOf, objectsOf, textOf } from '../json/lenient-json.ts'
import { writeErrorFrame } from './api-error.ts'
import { fieldOf } from './names.ts'

interface Shape {
  requests(body: Json): Json[]
  tell(vectors: { values: unknown }[]): Json
}

const textIn = ({ content }: Json): string =>
  objectsOf(objectOf(content).parts)
    .map(({ text }) => textOf(text))
    .join('\n')

/** What the vector of a text is for, what the text is called, how long the vector is to be. */
const wishesIn = ({ content: _, model: __, stream: ___, ...wishes }: Json): Json => wishes

function embeddings({ requests, tell }: Shape): ClientFormat {
  const textsIn = (body: Json) => requests(body).map(textIn)
  return {
    readFacts(body): RequestFacts | Flaw {
      const texts = textsIn(body)
      const flaw = firstOf(modelFlaw(body), texts.length && texts.every(Boolean) ? undefined : required('content'))
      return flaw ?? { model: modelIn(body), stream: false, max_output: 0, choices: 1, wants_usage: false }
    },
    promptTokens: body => inputTokens(textsIn(body)),
    promptText: body => textsIn(body).join('\n'),
    conversion: {
      convertRequest(body, owner) {
        const dimensions = fieldOf(requests(body)[0]!, 'outputDimensionality').value
        return {
          model: body.model,
          input: textsIn(body),
          ...(dimensions !== undefined && { dimensions }),
          ...(owner === 'gemini' && { wishes: requests(body).map(wishesIn) }),
        }
      },
      convertResponse: answer => tell(objectsOf(answer.data).map(({ embedding }) => ({ values: embedding }))),
    },
    writeErrorFrame,
  }
}

export const embedContent = embeddings({
  requests: body => [body],
  tell: ([embedding]) => ({ embedding }),
})

export const batchEmbedContents = embeddings({
  requests: ({ requests }) => objectsOf(requests),
  tell: embeddings => ({ embeddings }),
})
