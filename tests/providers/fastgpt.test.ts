// @engine sqlite
/** FastGPT: events of workflow steps between the events of the response. */
import { testProvider } from '../support/upstream/provider-fixtures.ts'
import { aChat, refusing } from '../support/upstream/strict-provider.ts'

await testProvider('fastgpt', {
  channel: { type: 22, key: 'fastgpt-key-0123456789abcdef01234567' },
  base: '/api/openapi',
  headers: { authorization: 'Bearer {key}' },
  paths: { 'POST /api/openapi/v1/chat/completions': [aChat, refusing('stream_options')] },
})
