/** A gateway like this one as an upstream, strict about the header in which each format has its key. */
import { billing } from './openai-billing.ts'
import { aChat, aMessage, models, needing, type Server } from './strict-provider.ts'

const content = [needing('contents')]

export const gatewayServer = (type: number): Server => ({
  channel: { type, key: 'sk-other' },
  headers: ({ target }) => headersAt(target),
  models: models('/v1/models'),
  balance: billing(),
  paths: {
    'POST /v1/chat/completions': [aChat],
    'POST /v1/responses': [needing('model', 'input')],
    'POST /v1/messages': [aMessage],
    'POST /v1beta/models/gemini-2.5-flash:generateContent': content,
    'POST /v1beta/models/gemini-2.5-flash:streamGenerateContent?alt=sse': content,
    'POST /v1/completions': [needing('model', 'prompt')],
    'POST /v1/embeddings': [needing('model', 'input')],
    'POST /v1/images/generations': [needing('model', 'prompt')],
    'POST /v1/images/edits': [needing('model', 'prompt', 'image')],
    'POST /v1/images/variations': [needing('model', 'image')],
    'POST /v1/audio/speech': [needing('model', 'input', 'voice')],
    'POST /v1/audio/transcriptions': [needing('model', 'file')],
    'POST /v1/audio/translations': [needing('model', 'file')],
    'POST /v1/moderations': [needing('input')],
    'POST /v1/rerank': [needing('model', 'query', 'documents')],
  },
})

/** The key in the header of each format. */
const headersOf: [path: RegExp, headers: Record<string, string>][] = [
  [/^\/v1\/messages/, { 'x-api-key': '{key}', 'anthropic-version': '2023-06-01' }],
  [/^\/v1beta\//, { 'x-goog-api-key': '{key}' }],
  [/^\/v1\//, { authorization: 'Bearer {key}' }],
]

const headersAt = (target: string) => headersOf.find(([path]) => path.test(target))![1]
