// @engine sqlite
/** DeepSeek, whose server is strict about thoughts, output limits and response formats. */
import { testProvider } from '../support/upstream/provider-fixtures.ts'
import { aChat, aMessage, models, needing, refusing } from '../support/upstream/strict-provider.ts'

await testProvider('deepseek', {
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
    'POST /v1/chat/completions': [aChat, refusing('max_completion_tokens'), noEarlierThoughts, noSchema, noLogprobs],
    'POST /anthropic/v1/messages': [aMessage],
    'POST /beta/completions': [needing('model', 'prompt')],
  },
})

/** Thoughts are accepted only after the last question. */
function noEarlierThoughts({ messages }: Record<string, any>) {
  const since = messages.findLastIndex((message: any) => message.role === 'user')
  if (messages.some((message: any, at: number) => at < since && 'reasoning_content' in message)) {
    return 'reasoning_content of an earlier message'
  }
}

function noSchema({ response_format }: Record<string, any>) {
  if (response_format && !['text', 'json_object'].includes(response_format.type)) return 'response_format unavailable'
}

function noLogprobs(body: Record<string, any>) {
  if (body.model === 'deepseek-reasoner') return refusing('logprobs', 'top_logprobs')(body)
}
