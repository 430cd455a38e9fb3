/** Moonshot, which knows no `top_k` and no `seed`, and takes a schema that names itself for a mistake. */
import { aChat, refusing, speaks } from '../support/provider.ts'

await speaks('moonshot', {
  channel: { type: 25, key: 'sk-moonshot' },
  headers: { authorization: 'Bearer {key}' },
  paths: { 'POST /v1/chat/completions': [aChat, refusing('top_k', 'seed'), noSchemaAddress] },
})

function noSchemaAddress({ tools = [] }: Record<string, any>) {
  if (tools.some((tool: any) => tool.function?.parameters?.$schema)) return 'invalid schema'
}
