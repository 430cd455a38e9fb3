/** An address of the operator’s own: taken as it is, with the model in it. */
import { aChat, refusing, speaks } from '../support/provider.ts'

await speaks('custom', {
  channel: { type: 8, key: 'sk-custom' },
  base: '/deploy/{model}/chat?tenant=a',
  headers: { authorization: 'Bearer {key}' },
  paths: { 'POST /deploy/gpt-4o/chat?tenant=a': [aChat, refusing('stream_options')] },
})
