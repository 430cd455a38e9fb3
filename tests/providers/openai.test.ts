/** OpenAI itself. */
import { aChat, knowing, needing, speaks } from '../support/provider.ts'

await speaks('openai', {
  channel: { type: 1, key: 'sk-openai', openai_organization: 'org-1' },
  headers: { authorization: 'Bearer {key}', 'openai-organization': 'org-1' },
  paths: {
    'POST /v1/chat/completions': [aChat],
    'POST /v1/completions': [needing('model', 'prompt')],
    'POST /v1/embeddings': [needing('model', 'input'), knowing('model', 'input', 'encoding_format', 'dimensions')],
    'POST /v1/images/generations': [needing('model', 'prompt')],
    'POST /v1/audio/speech': [needing('model', 'input', 'voice')],
    'POST /v1/audio/transcriptions': [needing('model', 'file')],
    'POST /v1/moderations': [needing('input')],
    'POST /v1/responses': [needing('model', 'input')],
  },
})
