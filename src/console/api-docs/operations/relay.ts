/** Operations of the API of models. Their bodies are those of the providers; the main fields are listed. */
import { z } from 'zod'
import { EXAMPLE_MODEL } from '../../../contracts/api-docs.ts'
import { drawings } from './drawings.ts'
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
const Models = z.object({
  object: z.literal('list'),
  data: z.array(z.looseObject({ id: text, object: z.literal('model'), created: whole, owned_by: text })),
})
const ChatAnswer = z.looseObject({ id: text, object: text, model: text, choices: z.array(z.unknown()) })
const chat = { body: Chat, example: { model: EXAMPLE_MODEL, messages: hello }, response: ChatAnswer }

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
const Song = z.looseObject({
  prompt: optionalText.describe('The lyrics of the song.'),
  gpt_description_prompt: optionalText.describe('What the song is about, in place of lyrics.'),
  title: optionalText,
  tags: optionalText,
  mv: optionalText.describe('Version of the model.'),
  make_instrumental: z.boolean().optional(),
  task_id: optionalText.describe('The task that made the song which is continued.'),
  continue_clip_id: optionalText,
  continue_at: z.number().optional(),
})
const VideoBody = z.looseObject({
  model,
  prompt: text,
  seconds: z.union([text, whole]).optional(),
  size: optionalText.describe('Width and height, such as `1280x720`.'),
  resolution: optionalText,
  aspect_ratio: optionalText,
  input_reference: z.unknown().optional().describe('A picture that the video begins with: a file, or its address.'),
  last_frame: optionalText,
  seed: whole.optional(),
  negative_prompt: optionalText,
  sound: z.boolean().optional(),
  metadata: z.looseObject({}).optional().describe('Fields of the maker that change no price.'),
})
const video: OperationNotes = {
  summary: 'operation.video_create',
  description: 'Answers with a task, which is charged when it is accepted and refunded when it fails.',
  body: VideoBody,
  example: { model: 'sora-2', prompt: 'A toll gate at dawn', seconds: '8', size: '1280x720' },
}
const klingVideos = (...names: string[]): Record<string, OperationNotes> =>
  Object.fromEntries(
    names.flatMap(name => [
      [
        `POST /kling/v1/videos/${name}`,
        {
          summary: 'operation.video_create' as const,
          description: 'In the form of Kling.',
          body: z.looseObject({ model_name: text, prompt: text, duration: optionalText, mode: optionalText }),
        },
      ],
      [`GET /kling/v1/videos/${name}/:id`, { summary: 'operation.video_get' as const }],
    ]),
  )
const onlySession = 'Only a session of this site is accepted, no API key.'
const bySession = { description: onlySession, query: z.object({ group: optionalText }) }
const SunoAnswer = z.object({ code: text, message: text, data: z.unknown() })
const Images = z.looseObject({ model: model.optional(), prompt: text, n: whole.optional(), size: optionalText })
const ImageForm = z.looseObject({ model: model.optional(), image: file, prompt: optionalText, size: optionalText })
const Recording = z.looseObject({ file, model, language: optionalText, response_format: optionalText })
const Rerank = z.looseObject({ model, query: text, documents: z.array(z.unknown()), top_n: whole.optional() })
const rerank: OperationNotes = { summary: 'operation.rerank', body: Rerank }

const generate: Record<string, OperationNotes> = {
  generateContent: {
    summary: 'operation.gemini_generate',
    body: Contents,
    example: { contents: [{ role: 'user', parts: [{ text: 'Hello' }] }] },
  },
  streamGenerateContent: {
    summary: 'operation.gemini_stream',
    description: 'With `alt=sse` as server-sent events, else as a JSON array.',
    query: z.object({ alt: optionalText }),
    body: Contents,
  },
  embedContent: { summary: 'operation.gemini_embed', body: z.looseObject({ content: z.unknown() }) },
  batchEmbedContents: {
    summary: 'operation.gemini_embed_many',
    body: z.looseObject({ requests: z.array(z.unknown()) }),
  },
  countTokens: { summary: 'operation.gemini_count', body: Contents.partial() },
}
const verbs = (prefix: string) =>
  Object.fromEntries(Object.entries(generate).map(([verb, notes]) => [`POST ${prefix}/models/*:${verb}`, notes]))

const subscription: OperationNotes = {
  summary: 'operation.billing_granted',
  response: z.object({
    object: text,
    has_payment_method: z.boolean(),
    soft_limit_usd: z.number(),
    hard_limit_usd: z.number(),
    system_hard_limit_usd: z.number(),
    access_until: whole,
  }),
}
const used: OperationNotes = {
  summary: 'operation.billing_used',
  response: z.object({ object: text, total_usage: z.number() }),
}

export const models: OperationGroup = {
  noun: 'models',
  title: 'Models',
  operations: {
    'POST /v1/chat/completions': { summary: 'operation.chat_openai', ...chat },
    'POST /v1/responses': {
      summary: 'operation.chat_responses',
      body: Responses,
      example: { model: EXAMPLE_MODEL, input: 'Hello' },
    },
    'POST /v1/responses/compact': { summary: 'operation.response_compact', body: Responses.partial({ input: true }) },
    'POST /v1/responses/input_tokens': { summary: 'operation.response_count', body: Responses },
    'GET /v1/responses/:id': {
      summary: 'operation.response_get',
      description:
        'Of a response in the background that was created with `stream: true`, `stream=true` resumes the events.',
      query: z.object({ stream: optionalText, starting_after: optionalText }),
    },
    'DELETE /v1/responses/:id': { summary: 'operation.response_delete' },
    'POST /v1/responses/:id/cancel': { summary: 'operation.response_cancel' },
    'GET /v1/responses/:id/input_items': { summary: 'operation.response_inputs' },
    'POST /v1/messages': {
      summary: 'operation.chat_anthropic',
      body: Messages,
      example: { model: 'claude-sonnet-4-5', max_tokens: 1024, messages: hello },
    },
    'POST /v1/messages/count_tokens': { summary: 'operation.anthropic_count', body: Messages },
    ...verbs('/v1beta'),
    ...verbs('/v1'),
    'POST /v1/completions': {
      summary: 'operation.completion',
      body: z.looseObject({ model, prompt: z.unknown(), max_tokens: whole.optional(), stream }),
    },
    'POST /pg/chat/completions': {
      summary: 'operation.playground_chat',
      description: onlySession,
      ...chat,
    },
    'POST /pg/try-it': { summary: 'operation.try_it', description: 'For the home page alone.', ...chat },
    'GET /v1/realtime': { summary: 'operation.realtime', query: z.object({ model }) },
    'POST /v1/embeddings': {
      summary: 'operation.embeddings',
      body: Embeddings,
      example: { model: 'text-embedding-3-small', input: 'Hello' },
    },
    'POST /v1/engines/:model/embeddings': { summary: 'operation.embeddings_of', body: Embeddings },
    'POST /v1/rerank': rerank,
    'POST /rerank': rerank,
    'POST /v1/moderations': { summary: 'operation.moderation', body: z.looseObject({ input: z.unknown() }) },
    'POST /v1/images/generations': {
      summary: 'operation.image_create',
      description:
        'With `async=1` it answers at once with a task, which is charged when the image is there, and not when it fails.',
      query: z.object({ async: optionalText.describe('`1` for a task.') }),
      body: Images,
      example: { model: 'gpt-image-1', prompt: 'A toll gate at night' },
    },
    'GET /v1/images/generations/:id': {
      summary: 'operation.image_get',
      response: z.looseObject({
        ...{ id: text, object: z.literal('image.generation'), model: text, progress: whole },
        status: z.enum(['in_progress', 'completed', 'failed']),
        created_at: whole,
        completed_at: whole.nullable(),
        error: z.object({ code: text, message: text }).nullable(),
        data: z.array(z.looseObject({ url: optionalText, b64_json: optionalText })).optional(),
      }),
    },
    'GET /v1/tasks/:id/files/:name': {
      summary: 'operation.task_file',
      description: 'Needs a key or a session of the owner, or an address that this site has signed.',
      query: z.object({ expires: optionalText, signature: optionalText }),
    },
    'POST /v1/images/edits': { summary: 'operation.image_edit', body: ImageForm, form: true },
    'POST /v1/images/variations': { summary: 'operation.image_vary', body: ImageForm, form: true },
    'POST /v1/audio/speech': {
      summary: 'operation.speech',
      body: z.looseObject({ model, input: text, voice: z.unknown(), response_format: optionalText }),
      example: { model: 'gpt-4o-mini-tts', input: 'Hello', voice: 'alloy' },
    },
    'POST /v1/audio/transcriptions': { summary: 'operation.transcription', body: Recording, form: true },
    'POST /v1/audio/translations': { summary: 'operation.translation', body: Recording, form: true },
    'GET /v1/models': {
      summary: 'operation.models_of_key',
      description: 'Clients with the header `anthropic-version` get the format of Anthropic.',
      response: Models,
    },
    'GET /v1/models/*': { summary: 'operation.model' },
    'GET /v1beta/models': { summary: 'operation.gemini_models' },
    'GET /v1beta/models/*': { summary: 'operation.gemini_model' },
    'GET /v1/dashboard/billing/subscription': subscription,
    'GET /dashboard/billing/subscription': subscription,
    'GET /v1/dashboard/billing/usage': used,
    'GET /dashboard/billing/usage': used,
    'POST /suno/submit/music': {
      summary: 'operation.song',
      description: 'Answers with the id of a task, which is charged when it is accepted and refunded when it fails.',
      body: Song,
      example: { prompt: 'The barrier lifts at dawn', title: 'Toll', tags: 'folk' },
      response: SunoAnswer,
    },
    'POST /suno/submit/lyrics': {
      summary: 'operation.lyrics',
      body: z.looseObject({ prompt: text }),
      example: { prompt: 'Rain on a toll gate' },
      response: SunoAnswer,
    },
    'POST /suno/submit/:action': {
      summary: 'operation.song_or_lyrics',
      description: 'The same with the action in capitals, `MUSIC` or `LYRICS`.',
      body: Song,
      response: SunoAnswer,
    },
    'POST /suno/fetch': {
      summary: 'operation.tasks_fetch',
      body: z.looseObject({ ids: z.array(text) }),
      response: SunoAnswer,
    },
    'GET /suno/fetch/:id': { summary: 'operation.task_fetch', response: SunoAnswer },
    ...drawings,
    'POST /v1/videos': { ...video, form: true },
    'GET /v1/videos': {
      summary: 'operation.videos',
      query: z.object({ limit: optionalText, after: optionalText, order: optionalText }),
    },
    'GET /v1/videos/:id': { summary: 'operation.video_get' },
    'DELETE /v1/videos/:id': { summary: 'operation.video_delete' },
    'GET /v1/videos/:id/content': {
      summary: 'operation.video_content',
      query: z.object({ variant: optionalText.describe('`video`, `thumbnail` or `spritesheet`.') }),
    },
    'POST /v1/videos/:id/remix': { summary: 'operation.video_remix', body: z.looseObject({ prompt: text }) },
    'POST /v1/video/generations': video,
    'GET /v1/video/generations/:id': { summary: 'operation.video_get' },
    ...klingVideos('text2video', 'image2video', 'omni-video'),
    'POST /jimeng/': {
      summary: 'operation.video_create',
      description: 'By its `Action`, also tells of a video. In the form of Jimeng.',
      query: z.object({ Action: text, Version: optionalText }),
      body: z.looseObject({ req_key: text, prompt: optionalText, task_id: optionalText }),
    },
    'POST /pg/tasks/drawings': { summary: 'operation.drawing', ...bySession, body: z.looseObject({ prompt: text }) },
    'POST /pg/tasks/pictures': { summary: 'operation.image_create', ...bySession, body: Images },
    'POST /pg/tasks/music': { summary: 'operation.song', ...bySession, body: Song },
    'POST /pg/tasks/videos': { summary: 'operation.video_create', ...bySession, body: VideoBody },
    'GET /pg/tasks/:id': { summary: 'operation.task_fetch', description: onlySession },
    'GET /v1/usage': { summary: 'operation.budget_usage' },
    'GET /api/usage/token': { summary: 'operation.key_usage' },
  },
}
