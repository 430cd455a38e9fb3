// @engine sqlite
/** MiniMax: a path of its own, errors inside 200, a last event that repeats the message. */
import { testProvider } from '../support/upstream/provider-fixtures.ts'
import { aChat, aMessage, knowing, needing, refusing } from '../support/upstream/strict-provider.ts'

await testProvider('minimax', {
  channel: { type: 35, key: 'eyJkey', other: 'g1' },
  headers: { authorization: 'Bearer {key}' },
  paths: {
    'POST /v1/text/chatcompletion_v2': [aChat, refusing('stream_options')],
    'POST /anthropic/v1/messages': [aMessage],
    'POST /v1/embeddings?GroupId=g1': [needing('model', 'texts', 'type'), knowing('model', 'texts', 'type')],
    'POST /v1/t2a_v2': [needing('model', 'text', 'voice_setting', 'audio_setting'), refusing('input', 'voice')],
    'POST /v1/image_generation': [needing('model', 'prompt'), refusing('size'), knownFormat],
  },
})

function knownFormat({ response_format }: Record<string, any>) {
  if (!['url', 'base64'].includes(response_format)) return 'response_format is url or base64'
}
