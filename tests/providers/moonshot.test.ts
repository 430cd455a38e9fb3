/** Moonshot, which knows no `top_k` and no `seed`, and takes a schema that names itself for a mistake. */
import { speaks } from '../support/provider.ts'
import { aChat, aMessage, refusing } from '../support/strict.ts'

await speaks('moonshot', {
  channel: { type: 25, key: 'sk-moonshot' },
  headers: { authorization: 'Bearer {key}' },
  paths: {
    'POST /v1/chat/completions': [aChat, refusing('top_k', 'seed'), noSchemaAddress, ownHeat],
    'POST /anthropic/v1/messages': [aMessage],
  },
})

function noSchemaAddress({ tools = [] }: Record<string, any>) {
  if (tools.some((tool: any) => tool.function?.parameters?.$schema)) return 'invalid schema'
}

function ownHeat({ model, thinking, temperature = 1 }: Record<string, any>) {
  const thinks = thinking ? thinking.type === 'enabled' : model.includes('thinking')
  if (thinks && temperature !== 1) return 'invalid temperature: only 1 is allowed for this model'
}
