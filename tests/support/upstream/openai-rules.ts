/** What OpenAI, and those who rank documents as it would, refuse at each address. */
import type { Call } from './openai.ts'

export const JSON_TYPE = 'application/json'
export const FORM_TYPE = 'multipart/form-data'

interface Rules {
  takes: string[]
  violation(call: Call): string | undefined
}

const missing = (name: string) => `Missing required parameter: '${name}'.`

const needs =
  (...names: string[]) =>
  ({ body }: Call) => {
    const absent = names.find(name => body[name] === undefined || body[name] === '' || body[name] === null)
    return absent && missing(absent)
  }

const needsFile =
  (name: string) =>
  ({ files }: Call) =>
    (files[name] ?? files[`${name}[]`])?.length ? undefined : missing(name)

const optionsOnlyForStreams = ({ body }: Call) =>
  body.stream_options && body.stream !== true
    ? "The 'stream_options' parameter is only allowed when 'stream' is enabled."
    : undefined

const oneOf =
  (name: string, ...values: string[]) =>
  ({ body }: Call) =>
    body[name] === undefined || values.includes(body[name] as string) ? undefined : `Invalid value for '${name}'`

/** In JSON a number is a number, in a form a text. */
const numbers =
  (...names: string[]) =>
  ({ body }: Call) => {
    const odd = names.find(name => body[name] !== undefined && !Number.isInteger(body[name]))
    return odd && `Invalid type for '${odd}': expected an integer.`
  }

const nonEmptyList = (name: string) => (call: Call) =>
  Array.isArray(call.body[name]) && call.body[name].length ? undefined : missing(name)

type Rule = (call: Call) => string | undefined

const json = (...rules: Rule[]): Rules => ({
  takes: [JSON_TYPE],
  violation: call => rules.map(rule => rule(call)).find(Boolean),
})
const form = (...rules: Rule[]): Rules => ({ ...json(...rules), takes: [FORM_TYPE] })

const transcripts = form(
  needs('model'),
  needsFile('file'),
  oneOf('response_format', 'json', 'text', 'srt', 'verbose_json', 'vtt'),
)

export const rulesOf: Record<string, Rules> = {
  '/v1/chat/completions': json(needs('model'), nonEmptyList('messages'), optionsOnlyForStreams),
  '/v1/responses': json(needs('model', 'input')),
  '/v1/responses/compact': json(needs('model', 'input')),
  '/v1/completions': json(needs('model', 'prompt'), numbers('n', 'best_of', 'max_tokens'), optionsOnlyForStreams),
  '/v1/embeddings': json(needs('model', 'input'), numbers('dimensions'), oneOf('encoding_format', 'float', 'base64')),
  '/v1/moderations': json(needs('model', 'input')),
  '/v1/rerank': json(needs('model', 'query'), nonEmptyList('documents'), numbers('top_n')),
  '/v1/images/generations': json(needs('model', 'prompt'), numbers('n')),
  '/v1/images/edits': {
    takes: [FORM_TYPE, JSON_TYPE],
    violation: call => needs('model', 'prompt')(call) ?? (call.body.images ? undefined : needsFile('image')(call)),
  },
  '/v1/images/variations': form(needs('model'), needsFile('image')),
  '/v1/audio/speech': json(needs('model', 'input', 'voice'), oneOf('stream_format', 'sse', 'audio')),
  '/v1/audio/transcriptions': transcripts,
  '/v1/audio/translations': transcripts,
}
