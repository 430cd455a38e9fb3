/** Ollama: chats as OpenAI has them, vectors in its own way. */
import { aChat, knowing, needing, speaks } from '../support/provider.ts'

await speaks('ollama', {
  channel: { type: 4, key: 'ollama-key' },
  headers: { authorization: 'Bearer {key}' },
  paths: {
    'POST /v1/chat/completions': [aChat],
    'POST /v1/completions': [needing('model', 'prompt')],
    'POST /api/embed': [needing('model', 'input'), knowing('model', 'input', 'dimensions', 'truncate', 'options')],
  },
})
