// @engine sqlite
/** Gemini: chats in its own format; embeddings, images and speech for clients of OpenAI’s. */
import { testProvider } from '../support/upstream/provider-fixtures.ts'
import { knowing, needing } from '../support/upstream/strict-provider.ts'

const at = (call: string) => `POST /v1beta/models/${call}`

const fields = ['contents', 'systemInstruction', 'tools', 'toolConfig', 'generationConfig', 'safetySettings', 'labels']
const aContent = [needing('contents'), knowing(...fields)]

const listed = (name: string, ...supportedGenerationMethods: string[]) => ({
  name: `models/${name}`,
  supportedGenerationMethods,
})

await testProvider('gemini', {
  channel: { type: 24, key: 'AIza-key' },
  headers: { 'x-goog-api-key': '{key}' },
  models: {
    answers: {
      '/v1beta/models?pageSize=1000': { models: [listed('a', 'generateContent', 'countTokens')], nextPageToken: 'p2' },
      '/v1beta/models?pageSize=1000&pageToken=p2': {
        models: [listed('b', 'embedContent'), listed('c', 'createTunedModel')],
      },
    },
    found: ['a', 'b'],
  },
  paths: {
    [at('gemini-2.5-flash:generateContent')]: aContent,
    'POST /v1/models/gemini-2.5-flash:generateContent': aContent,
    [at('gemini-2.5-flash:streamGenerateContent?alt=sse')]: aContent,
    [at('gemini-embedding-001:batchEmbedContents')]: [needing('requests'), knowing('requests')],
    [at('gemini-2.5-flash-image:generateContent')]: aContent,
    [at('gemini-2.5-flash-preview-tts:generateContent')]: aContent,
    [at('imagen-4.0-image:predict')]: [needing('instances'), knowing('instances', 'parameters')],
  },
})
