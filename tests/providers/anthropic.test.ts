/** Anthropic: its own messages from those who speak them, and from those who do not. */
import { speaks } from '../support/provider.ts'
import { aMessage } from '../support/strict.ts'

await speaks('anthropic', {
  channel: { type: 14, key: 'sk-ant-key' },
  headers: { 'x-api-key': '{key}', 'anthropic-version': '2023-06-01' },
  paths: { 'POST /v1/messages': [aMessage] },
})
