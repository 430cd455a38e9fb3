/** One way to name each kind of what makers store, with the call that makes it where an answer names it. */
import type { Json } from '../../formats/wire/sse.ts'
import { newId } from './naming-upstream.ts'

export const models = { openai: 'gpt-5', anthropic: 'claude-opus-4-1', chat: 'gpt-audio', gemini: 'gemini-2.5-pro' }

export interface Made {
  path: string
  body: Json
}

export interface StoredKindCase {
  title: string
  /** Absent where no answer names what was made. */
  make?: Made
  /** Finds it in the text of the answer. */
  pattern?: RegExp
  use(id: string): Made
  /** An id of its shape. */
  unseen(): string
  /** What its maker answers for one that is unknown. */
  status: number
  words(id: string): string
}

const limit = { openai: { max_output_tokens: 16 }, anthropic: { max_tokens: 16 }, chat: { max_tokens: 16 } }
const responses = (body: Json): Made => ({
  path: '/v1/responses',
  body: { model: models.openai, input: 'Go', ...limit.openai, ...body },
})
const messages = (body: Json): Made => ({
  path: '/v1/messages',
  body: { model: models.anthropic, messages: [{ role: 'user', content: 'Go' }], ...limit.anthropic, ...body },
})
const chat = (body: Json): Made => ({
  path: '/v1/chat/completions',
  body: { model: models.chat, messages: [{ role: 'user', content: 'Go' }], ...limit.chat, ...body },
})
const contents = (body: Json): Made => ({
  path: `/v1beta/models/${models.gemini}:generateContent`,
  body: { contents: [{ parts: [{ text: 'Go' }] }], generationConfig: { maxOutputTokens: 16 }, ...body },
})

const item = (kind: string, prefix: string, use: (id: string) => Json): StoredKindCase => ({
  title: kind,
  make: responses({}),
  pattern: new RegExp(`"id":"(${prefix}[0-9a-f]{32})"`),
  use: id => responses({ input: [{ role: 'user', content: 'Go' }, use(id)] }),
  unseen: () => newId(prefix),
  status: 404,
  words: id => `Item with id '${id}' not found.`,
})

const openAi = (kind: string, prefix: string, use: (id: string) => Json): StoredKindCase => ({
  title: kind.toLowerCase(),
  use: id => responses(use(id)),
  unseen: () => newId(prefix),
  status: 404,
  words: id => `${kind} with id '${id}' not found.`,
})

export const storedKinds: StoredKindCase[] = [
  {
    ...openAi('response', 'resp_', id => ({ previous_response_id: id })),
    ...{ make: responses({}), pattern: /"id":"(resp_[0-9a-f]{32})"/, status: 400 },
    words: id => `Previous response with id '${id}' not found.`,
  },
  item('an item by reference', 'rs_', id => ({ type: 'item_reference', id })),
  item('an item by its id alone', 'msg_', id => ({ id })),
  item('a thought without its content', 'rs_', id => ({ type: 'reasoning', id, summary: [] })),
  item('an image by its call', 'ig_', id => ({ type: 'image_generation_call', id })),
  {
    ...openAi('Container', 'cntr_', id => ({ tools: [{ type: 'code_interpreter', container: id }] })),
    ...{ make: responses({}), pattern: /"container_id":"(cntr_[0-9a-f]{32})"/ },
  },
  {
    ...openAi('file', 'cfile_', id => ({ input: [{ role: 'user', content: [{ type: 'input_file', file_id: id }] }] })),
    ...{ make: responses({}), pattern: /"file_id":"(cfile_[0-9a-f]{32})"/ },
    words: id => `No such File object: ${id}`,
  },
  openAi('Conversation', 'conv_', id => ({ conversation: id })),
  openAi('Prompt', 'pmpt_', id => ({ prompt: { id } })),
  {
    ...openAi('vector store', 'vs_', id => ({ tools: [{ type: 'file_search', vector_store_ids: [id] }] })),
    words: id => `Vector store with id ['${id}'] not found.`,
  },
  openAi('Skill', 'skill_', id => ({
    tools: [
      {
        ...{
          type: 'shell',
          environment: { type: 'container_auto', skills: [{ type: 'skill_reference', skill_id: id }] },
        },
      },
    ],
  })),
  openAi('Tunnel', 'tunnel_', id => ({ tools: [{ type: 'mcp', server_label: 'own', tunnel_id: id }] })),
  {
    ...openAi('Audio', 'audio_', () => ({})),
    ...{ make: chat({ modalities: ['text', 'audio'], audio: { voice: 'alloy', format: 'wav' } }) },
    pattern: /"id":"(audio_[0-9a-f]{32})"/,
    use: id =>
      chat({
        messages: [
          { role: 'user', content: 'Go' },
          { role: 'assistant', audio: { id } },
          { role: 'user', content: 'On' },
        ],
      }),
  },
  {
    ...openAi('Voice', 'voice_', () => ({})),
    use: id => chat({ modalities: ['text', 'audio'], audio: { voice: { id }, format: 'wav' } }),
  },
  {
    title: 'a thread',
    make: messages({ thread: { type: 'create' } }),
    pattern: /"id":"(msg_[0-9a-f]{32})"/,
    use: id => messages({ thread: { type: 'continue', previous_message_id: id } }),
    unseen: () => newId('msg_'),
    status: 400,
    words: id => `No thread is held for the message ${id}.`,
  },
  {
    title: 'a container of Anthropic',
    make: messages({}),
    pattern: /"id":"(container_[0-9a-f]{32})"/,
    use: id => messages({ container: id }),
    unseen: () => newId('container_'),
    status: 404,
    words: id => `Container not found: ${id}`,
  },
  {
    title: 'a file of Anthropic',
    make: messages({}),
    pattern: /"file_id":"(file_[0-9a-f]{32})"/,
    use: id => messages({ messages: [{ role: 'user', content: [{ type: 'container_upload', file_id: id }] }] }),
    unseen: () => newId('file_'),
    status: 404,
    words: id => `File not found: ${id}`,
  },
  {
    title: 'a cached content',
    use: id => contents({ cachedContent: id }),
    unseen: () => newId('cachedContents/cache_'),
    status: 403,
    words: () => 'CachedContent not found (or permission denied)',
  },
  {
    title: 'a file of Google',
    use: id =>
      contents({ contents: [{ parts: [{ fileData: { fileUri: `${FILES}/${id}`, mimeType: 'text/plain' } }] }] }),
    unseen: () => newId('v1beta/files/file_'),
    status: 403,
    words: id => `You do not have permission to access the File ${FILES}/${id} or it may not exist.`,
  },
]

const FILES = 'https://generativelanguage.googleapis.com'

/** Channels that serve them, each with two keys. */
export const channelFields = [
  { type: 1, models: [models.openai, models.chat].join(), key: 'sk-1,sk-2' },
  { type: 1, models: [models.openai, models.chat].join(), key: 'sk-3' },
  { type: 14, models: models.anthropic, key: 'sk-4,sk-5' },
  { type: 14, models: models.anthropic, key: 'sk-6' },
  { type: 24, models: models.gemini, key: 'sk-7' },
  { type: 24, models: models.gemini, key: 'sk-8' },
]
