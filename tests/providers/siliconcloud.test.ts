/** SiliconCloud: pictures under other names, errors as a number and a sentence. */
import { speaks } from '../support/provider.ts'
import { aChat, needing, refusing } from '../support/strict.ts'

await speaks('siliconcloud', {
  channel: { type: 40, key: 'sk-silicon' },
  headers: { authorization: 'Bearer {key}' },
  paths: {
    'POST /v1/chat/completions': [aChat],
    'POST /v1/completions': [needing('model', 'prompt'), aChatToo],
    'POST /v1/embeddings': [needing('model', 'input')],
    'POST /v1/images/generations': [needing('model', 'prompt'), refusing('size', 'n')],
    'POST /v1/audio/speech': [needing('model', 'input', 'voice')],
    'POST /v1/audio/transcriptions': [needing('model', 'file')],
    'POST /v1/rerank': [needing('model', 'query', 'documents')],
  },
})

function aChatToo({ suffix, messages }: Record<string, any>) {
  if (suffix !== undefined && !messages?.length) return 'messages is empty'
}
