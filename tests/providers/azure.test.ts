// @engine sqlite
/** Azure: a deployment and an API version in every URL, a header of its own for the key. */
import { testProvider } from '../support/upstream/provider-fixtures.ts'
import { aChat, models, needing, refusing } from '../support/upstream/strict-provider.ts'

const deployed = (path: string, version = '2024-12-01-preview') =>
  `POST /openai/deployments/${path}?api-version=${version}`

await testProvider('azure', {
  channel: { type: 3, key: 'azure-key' },
  headers: { 'api-key': '{key}' },
  models: models('/openai/models?api-version=2024-12-01-preview'),
  paths: {
    [deployed('gpt-4o/chat/completions')]: [aChat],
    [deployed('gpt-4o/chat/completions', '2024-06-01')]: [aChat, refusing('stream_options')],
    [deployed('gpt-35-turbo-instruct/completions')]: [needing('prompt')],
    [deployed('text-embedding-3-small/embeddings')]: [needing('input')],
    [deployed('my-image-deployment/images/generations')]: [needing('prompt')],
    [deployed('my-image-deployment/images/edits')]: [needing('prompt', 'image')],
    'POST /openai/v1/responses?api-version=preview': [needing('model', 'input')],
    [deployed('tts-1/audio/speech')]: [needing('input', 'voice')],
    [deployed('whisper-1/audio/transcriptions')]: [needing('file')],
    [deployed('whisper-1/audio/translations')]: [needing('file')],
  },
})
