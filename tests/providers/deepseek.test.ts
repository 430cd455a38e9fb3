// @engine sqlite
/** DeepSeek, as strict as it is about thoughts, limits and formats. */
import { speaks } from '../support/upstream/provider-fixtures.ts'
import { aChat, aMessage, models, needing, refusing } from '../support/upstream/strict-provider.ts'

await speaks('deepseek', {
  channel: { type: 43, key: 'sk-deepseek' },
  headers: { authorization: 'Bearer {key}' },
  models: models('/v1/models'),
  balance: {
    answers: {
      '/user/balance': {
        is_available: true,
        balance_infos: [
          { currency: 'USD', total_balance: '2.00' },
          { currency: 'CNY', total_balance: '110.50' },
        ],
      },
    },
    found: 110.5,
  },
  paths: {
    'POST /v1/chat/completions': [aChat, refusing('max_completion_tokens'), noOldThoughts, noSchema, noChances],
    'POST /anthropic/v1/messages': [aMessage],
    'POST /beta/completions': [needing('model', 'prompt')],
  },
})

/** Thoughts are taken back only after the last question. */
function noOldThoughts({ messages }: Record<string, any>) {
  const since = messages.findLastIndex((message: any) => message.role === 'user')
  if (messages.some((message: any, at: number) => at < since && 'reasoning_content' in message)) {
    return 'reasoning_content of an earlier turn'
  }
}

function noSchema({ response_format }: Record<string, any>) {
  if (response_format && !['text', 'json_object'].includes(response_format.type)) return 'response_format unavailable'
}

function noChances(body: Record<string, any>) {
  if (body.model === 'deepseek-reasoner') return refusing('logprobs', 'top_logprobs')(body)
}
