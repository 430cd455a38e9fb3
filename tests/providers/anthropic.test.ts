// @engine sqlite
/** Anthropic, called by clients of its own format and of OpenAI’s. */
import { testProvider } from '../support/upstream/provider-fixtures.ts'
import { aMessage } from '../support/upstream/strict-provider.ts'

await testProvider('anthropic', {
  channel: { type: 14, key: 'sk-ant-key' },
  headers: { 'x-api-key': '{key}', 'anthropic-version': '2023-06-01' },
  models: {
    answers: {
      '/v1/models?limit=1000': { data: [{ id: 'a', type: 'model' }], has_more: true, first_id: 'a', last_id: 'a' },
      '/v1/models?limit=1000&after_id=a': { data: [{ id: 'b', type: 'model' }], has_more: false, last_id: 'b' },
    },
    found: ['a', 'b'],
  },
  paths: { 'POST /v1/messages': [aMessage] },
})
