// @engine sqlite
/** Ollama: OpenAI’s format for chats, its own for embeddings. */
import { testProvider } from '../support/upstream/provider-fixtures.ts'
import { aChat, aMessage, knowing, needing } from '../support/upstream/strict-provider.ts'

await testProvider('ollama', {
  channel: { type: 4, key: 'ollama-key' },
  headers: { authorization: 'Bearer {key}' },
  models: { answers: { '/api/tags': { models: [{ name: 'a:7b' }, { name: 'b' }] } }, found: ['a:7b', 'b'] },
  paths: {
    'POST /v1/chat/completions': [aChat],
    'POST /v1/messages': [aMessage],
    'POST /v1/completions': [needing('model', 'prompt')],
    'POST /api/embed': [needing('model', 'input'), knowing('model', 'input', 'dimensions', 'truncate', 'options')],
  },
})
