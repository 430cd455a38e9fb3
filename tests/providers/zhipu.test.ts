// @engine sqlite
/** Zhipu, whose server refuses sampling parameters at the ends of their ranges. */
import { testProvider } from '../support/upstream/provider-fixtures.ts'
import { aChat, aMessage, knowing, models, needing } from '../support/upstream/strict-provider.ts'

await testProvider('zhipu', {
  channel: { type: 26, key: 'id.secret' },
  headers: { authorization: 'Bearer {key}' },
  models: models('/api/paas/v4/models'),
  paths: {
    'POST /api/paas/v4/chat/completions': [aChat, openRanges, autoToolChoice],
    'POST /api/anthropic/v1/messages': [aMessage],
    'POST /api/paas/v4/embeddings': [needing('model', 'input'), knowing('model', 'input', 'dimensions')],
    'POST /api/paas/v4/images/generations': [needing('model', 'prompt')],
    'POST /api/paas/v4/rerank': [needing('model', 'query', 'documents')],
    'POST /api/paas/v4/audio/speech': [needing('model', 'input', 'voice')],
    'POST /api/paas/v4/audio/transcriptions': [needing('model', 'file')],
  },
})

function openRanges({ temperature, top_p }: Record<string, any>) {
  if (temperature !== undefined && temperature <= 0) return 'temperature is above 0'
  if (top_p !== undefined && (top_p <= 0 || top_p >= 1)) return 'top_p is between 0 and 1'
}

function autoToolChoice({ tool_choice = 'auto' }: Record<string, any>) {
  if (tool_choice !== 'auto') return 'tool_choice is auto'
}
