// @engine sqlite
/** Moonshot, whose server refuses `top_k`, `seed` and tool schemas with `$schema`. */
import { testProvider } from '../support/upstream/provider-fixtures.ts'
import { aChat, aMessage, models, refusing } from '../support/upstream/strict-provider.ts'

await testProvider('moonshot', {
  channel: { type: 25, key: 'sk-moonshot' },
  headers: { authorization: 'Bearer {key}' },
  models: models('/v1/models'),
  balance: {
    answers: {
      '/v1/users/me/balance': {
        code: 0,
        data: { available_balance: 49.5, voucher_balance: 40, cash_balance: 9.5 },
        status: true,
      },
    },
    found: 49.5,
  },
  paths: {
    'POST /v1/chat/completions': [aChat, refusing('top_k', 'seed'), noSchemaUrl, fixedTemperature],
    'POST /anthropic/v1/messages': [aMessage],
  },
})

function noSchemaUrl({ tools = [] }: Record<string, any>) {
  if (tools.some((tool: any) => tool.function?.parameters?.$schema)) return 'invalid schema'
}

function fixedTemperature({ model, thinking, temperature = 1 }: Record<string, any>) {
  const thinks = thinking ? thinking.type === 'enabled' : model.includes('thinking')
  if (thinks && temperature !== 1) return 'invalid temperature: only 1 is allowed for this model'
}
