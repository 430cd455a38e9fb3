/** OpenRouter: comments, thoughts under another name, errors in the middle, a price beside the usage. */
import { speaks } from '../support/provider.ts'
import { setOption } from '../support/relay.ts'
import { aChat, needing } from '../support/strict.ts'
import { setUp } from '../support/visit.ts'

await setUp()
await setOption('ServerAddress', 'https://gate.example')
await speaks('openrouter', {
  channel: { type: 20, key: 'sk-or-key' },
  base: '/api',
  headers: { authorization: 'Bearer {key}', 'x-title': 'Tollgate', 'http-referer': 'https://gate.example' },
  paths: {
    'POST /api/v1/chat/completions': [aChat],
    'POST /api/v1/completions': [needing('model', 'prompt')],
    'POST /api/v1/embeddings': [needing('model', 'input')],
    'POST /api/v1/responses': [needing('model', 'input')],
  },
})
