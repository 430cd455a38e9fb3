// @engine sqlite
/** Mistral, whose server refuses unknown fields and long ids of tool calls. */
import { testProvider } from '../support/upstream/provider-fixtures.ts'
import { aChat, knowing, models, needing } from '../support/upstream/strict-provider.ts'

const fields = [
  'model',
  'messages',
  'temperature',
  'top_p',
  'max_tokens',
  'stream',
  'stop',
  'random_seed',
  'response_format',
  'tools',
  'tool_choice',
  'presence_penalty',
  'frequency_penalty',
  'n',
  'prediction',
  'parallel_tool_calls',
  'prompt_mode',
  'safe_prompt',
]

await testProvider('mistral', {
  channel: { type: 42, key: 'mistral-key' },
  headers: { authorization: 'Bearer {key}' },
  models: models('/v1/models'),
  paths: {
    'POST /v1/chat/completions': [
      aChat,
      knowing(...fields),
      shortIds,
      namedResults,
      knownToolChoice,
      lastRole,
      knownParts,
    ],
    'POST /v1/fim/completions': [needing('model', 'prompt'), knowing('prompt', 'suffix', ...fields)],
    'POST /v1/embeddings': [needing('model', 'input'), knowing('model', 'input', 'encoding_format'), floats],
    'POST /v1/moderations': [needing('model', 'input'), knowing('model', 'input')],
    'POST /v1/audio/transcriptions': [needing('model', 'file')],
  },
})

const isShortId = (id: string) => /^[a-zA-Z0-9]{9}$/.test(id)

function shortIds({ messages }: Record<string, any>) {
  const ids = messages.flatMap((message: any) => [
    ...(message.tool_calls ?? []).map((call: any) => call.id),
    ...(message.tool_call_id ? [message.tool_call_id] : []),
  ])
  if (!ids.every(isShortId)) return `Tool call id was ${ids.join(', ')} but must be a-z, A-Z, 0-9, with a length of 9.`
}

function namedResults({ messages }: Record<string, any>) {
  if (messages.some((message: any) => message.role === 'tool' && !message.name)) return 'a tool result without a name'
}

function knownToolChoice({ tool_choice = 'auto' }: Record<string, any>) {
  if (!['auto', 'none', 'any', 'required'].includes(tool_choice)) return 'unknown tool_choice'
}

function floats({ encoding_format }: Record<string, any>) {
  if (encoding_format !== 'float') return 'encoding_format is float'
}

function lastRole({ messages }: Record<string, any>) {
  const { role, prefix } = messages.at(-1)
  if (role !== 'user' && role !== 'tool' && !prefix) return `Expected last role User or Tool but got ${role}`
}

function knownParts({ messages }: Record<string, any>) {
  const parts = messages.flatMap(({ content }: any) => (Array.isArray(content) ? content : []))
  const known = ['text', 'image_url', 'document_url']
  if (!parts.every(({ type }: any) => known.includes(type))) return 'unknown part'
}
