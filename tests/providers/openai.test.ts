// @engine sqlite
/** OpenAI itself. */
import { billing } from '../support/upstream/openai-billing.ts'
import { testProvider } from '../support/upstream/provider-fixtures.ts'
import { aChat, knowing, models, needing, refusing } from '../support/upstream/strict-provider.ts'

await testProvider('openai', {
  channel: { type: 1, key: 'sk-openai', openai_organization: 'org-1' },
  headers: { authorization: 'Bearer {key}', 'openai-organization': 'org-1' },
  models: models('/v1/models'),
  balance: billing(),
  paths: {
    'POST /v1/chat/completions': [aChat, refusedByReasoningModels],
    'POST /v1/completions': [needing('model', 'prompt')],
    'POST /v1/embeddings': [needing('model', 'input'), knowing('model', 'input', 'encoding_format', 'dimensions')],
    'POST /v1/images/generations': [needing('model', 'prompt')],
    'POST /v1/audio/speech': [needing('model', 'input', 'voice')],
    'POST /v1/images/edits': [needing('model', 'prompt', 'image')],
    'POST /v1/images/variations': [needing('model', 'image')],
    'POST /v1/audio/transcriptions': [needing('model', 'file')],
    'POST /v1/audio/translations': [needing('model', 'file')],
    'POST /v1/rerank': [needing('model', 'query', 'documents')],
    'POST /v1/moderations': [needing('input')],
    'POST /v1/responses': [needing('model', 'input')],
  },
})

/** From GPT-5.1 on, sampling is accepted while thinking is off. */
function refusedByReasoningModels(body: Record<string, any>) {
  const { model, messages, reasoning_effort } = body
  if (!/^(o\d|gpt-5)/.test(model)) return undefined
  if (/^o1-(mini|preview)/.test(model) && messages.some((message: any) => /system|developer/.test(message.role))) {
    return 'messages[0].role does not support this value with this model'
  }
  const sampling = ['temperature', 'top_p', 'presence_penalty', 'frequency_penalty', 'logprobs', 'top_logprobs']
  const isAccepted = /^gpt-5\.\d/.test(model) && reasoning_effort === 'none'
  return refusing('max_tokens', ...(isAccepted ? [] : [...sampling, 'logit_bias']))(body)
}
