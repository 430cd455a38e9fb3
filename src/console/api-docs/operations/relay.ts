/** Operations of the API of models. Their bodies are those of the providers; the main fields are listed. */
import { z } from 'zod'
import { EXAMPLE_MODEL } from '../../../contracts/api-docs.ts'
import { ModelListAnswer } from '../answers.ts'
import type { OperationGroup, OperationNotes } from './notes.ts'

const text = z.string()
const whole = z.int()
const stream = z.boolean().optional().describe('Answers with server-sent events.')
const model = text.describe('Name of a model, as in `GET /v1/models`.')
const message = z.looseObject({ role: text, content: z.unknown() })
const hello = [{ role: 'user', content: 'Hello' }]
const file = text.describe('A file.')
const optionalText = text.optional()

const Chat = z.looseObject({
  model,
  messages: z.array(message),
  stream,
  temperature: z.number().optional(),
  top_p: z.number().optional(),
  max_completion_tokens: whole.optional(),
  stop: z.union([text, z.array(text)]).optional(),
  tools: z.array(z.unknown()).optional(),
  tool_choice: z.unknown().optional(),
  response_format: z.unknown().optional(),
  reasoning_effort: optionalText,
})
const ChatAnswer = z.looseObject({ id: text, object: text, model: text, choices: z.array(z.unknown()) })
const chat = { body: Chat, example: { model: EXAMPLE_MODEL, messages: hello }, answer: ChatAnswer }

const Messages = z.looseObject({
  model,
  max_tokens: whole.optional(),
  system: z.unknown().optional(),
  messages: z.array(message),
  stream,
  tools: z.array(z.unknown()).optional(),
  thinking: z.unknown().optional(),
})
const Responses = z.looseObject({
  model,
  input: z.unknown(),
  instructions: optionalText,
  max_output_tokens: whole.optional(),
  stream,
  tools: z.array(z.unknown()).optional(),
})
const Embeddings = z.looseObject({ model: model.optional(), input: z.unknown(), dimensions: whole.optional() })
const Contents = z.looseObject({
  contents: z.array(z.unknown()),
  systemInstruction: z.unknown().optional(),
  generationConfig: z.unknown().optional(),
  tools: z.array(z.unknown()).optional(),
})
const Images = z.looseObject({ model: model.optional(), prompt: text, n: whole.optional(), size: optionalText })
const ImageForm = z.looseObject({ model: model.optional(), image: file, prompt: optionalText, size: optionalText })
const Recording = z.looseObject({ file, model, language: optionalText, response_format: optionalText })
const Rerank = z.looseObject({ model, query: text, documents: z.array(z.unknown()), top_n: whole.optional() })
const rerank = { summary: 'Sorts documents by their relevance for a query.', body: Rerank }

const generate: Record<string, OperationNotes> = {
  generateContent: {
    summary: 'Generates content in the format of Gemini.',
    body: Contents,
    example: { contents: [{ role: 'user', parts: [{ text: 'Hello' }] }] },
  },
  streamGenerateContent: {
    summary: 'Generates content as a stream in the format of Gemini.',
    description: 'With `alt=sse` as server-sent events, else as a JSON array.',
    query: z.object({ alt: optionalText }),
    body: Contents,
  },
  embedContent: { summary: 'Embeds a text in the format of Gemini.', body: z.looseObject({ content: z.unknown() }) },
  batchEmbedContents: {
    summary: 'Embeds several texts in the format of Gemini.',
    body: z.looseObject({ requests: z.array(z.unknown()) }),
  },
  countTokens: { summary: 'Counts the tokens of contents; free of charge.', body: Contents.partial() },
}
const verbs = (prefix: string) =>
  Object.fromEntries(Object.entries(generate).map(([verb, notes]) => [`POST ${prefix}/models/*:${verb}`, notes]))

const subscription = {
  summary: 'Granted quota of a key or its user, as OpenAI’s old billing API had it.',
  answer: z.object({
    object: text,
    has_payment_method: z.boolean(),
    soft_limit_usd: z.number(),
    hard_limit_usd: z.number(),
    system_hard_limit_usd: z.number(),
    access_until: whole,
  }),
}
const used = {
  summary: 'Used quota in cents, as OpenAI’s old billing API had it.',
  answer: z.object({ object: text, total_usage: z.number() }),
}

export const models: OperationGroup = {
  noun: 'models',
  title: 'Models',
  operations: {
    'POST /v1/chat/completions': { summary: 'Chat in the format of OpenAI.', ...chat },
    'POST /v1/responses': {
      summary: 'Chat in the format of OpenAI’s Responses API.',
      body: Responses,
      example: { model: EXAMPLE_MODEL, input: 'Hello' },
    },
    'POST /v1/messages': {
      summary: 'Chat in the format of Anthropic.',
      body: Messages,
      example: { model: 'claude-sonnet-4-5', max_tokens: 1024, messages: hello },
    },
    'POST /v1/messages/count_tokens': { summary: 'Counts the tokens of messages; free of charge.', body: Messages },
    ...verbs('/v1beta'),
    ...verbs('/v1'),
    'POST /v1/completions': {
      summary: 'Completes a text.',
      body: z.looseObject({ model, prompt: z.unknown(), max_tokens: whole.optional(), stream }),
    },
    'POST /pg/chat/completions': {
      summary: 'Chat of the playground, paid by the signed-in user.',
      description: 'Only a session of this site is accepted, no API key.',
      ...chat,
    },
    'GET /v1/realtime': { summary: 'Opens a realtime session over a WebSocket.', query: z.object({ model }) },
    'POST /v1/embeddings': {
      summary: 'Embeds texts.',
      body: Embeddings,
      example: { model: 'text-embedding-3-small', input: 'Hello' },
    },
    'POST /v1/engines/:model/embeddings': { summary: 'Embeds texts; the path names the model.', body: Embeddings },
    'POST /v1/rerank': rerank,
    'POST /rerank': rerank,
    'POST /v1/moderations': { summary: 'Classifies texts.', body: z.looseObject({ input: z.unknown() }) },
    'POST /v1/images/generations': {
      summary: 'Draws images.',
      body: Images,
      example: { model: 'gpt-image-1', prompt: 'A toll gate at night' },
    },
    'POST /v1/images/edits': { summary: 'Edits images.', body: ImageForm, form: true },
    'POST /v1/images/variations': { summary: 'Varies an image.', body: ImageForm, form: true },
    'POST /v1/audio/speech': {
      summary: 'Speaks a text; the response is a sound file.',
      body: z.looseObject({ model, input: text, voice: z.unknown(), response_format: optionalText }),
      example: { model: 'gpt-4o-mini-tts', input: 'Hello', voice: 'alloy' },
    },
    'POST /v1/audio/transcriptions': { summary: 'Writes down speech.', body: Recording, form: true },
    'POST /v1/audio/translations': { summary: 'Translates speech to English text.', body: Recording, form: true },
    'GET /v1/models': {
      summary: 'Models that the key can call.',
      description: 'Clients with the header `anthropic-version` get the format of Anthropic.',
      answer: ModelListAnswer,
    },
    'GET /v1/models/*': { summary: 'One model.' },
    'GET /v1beta/models': { summary: 'Models that the key can call, in the format of Gemini.' },
    'GET /v1beta/models/*': { summary: 'One model in the format of Gemini.' },
    'GET /v1/dashboard/billing/subscription': subscription,
    'GET /dashboard/billing/subscription': subscription,
    'GET /v1/dashboard/billing/usage': used,
    'GET /dashboard/billing/usage': used,
    'GET /api/usage/token': { summary: 'What a key was granted and has used, in quota.' },
  },
}
