/** Gemini: vectors and pictures in its own words, for those who ask in OpenAI’s. */
import { knowing, needing, speaks } from '../support/provider.ts'

const models = '/v1beta/models'

await speaks('gemini', {
  channel: { type: 24, key: 'AIza-key' },
  headers: { 'x-goog-api-key': '{key}' },
  paths: {
    [`POST ${models}/gemini-embedding-001:batchEmbedContents`]: [needing('requests'), knowing('requests')],
    [`POST ${models}/imagen-4.0-image:predict`]: [needing('instances'), knowing('instances', 'parameters')],
  },
})
