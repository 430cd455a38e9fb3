/** Apps of Dify for tests: their events, and channels that lead to them. */
import { afterEach } from 'bun:test'
import { setOption } from '../app/options.ts'
import { setUp } from '../people/person.ts'
import { makeChannel } from './channel.ts'
import { type Asked, sendEvents } from './conversations.ts'
import type { ScriptedAnswer } from './http-server.ts'
import type { Json } from './strict-provider.ts'

export const CONVERSATION = '45701982-8118-4bc5-8e9b-64562b4555f2'
export const ids = { task_id: 't', message_id: 'm', conversation_id: CONVERSATION, created_at: 1_750_000_000 }

export const message = (answer: string, fields: Json = {}) => ({ event: 'message', ...ids, answer, ...fields })

export const messageEnd = {
  event: 'message_end',
  ...ids,
  metadata: { usage: { prompt_tokens: 10, completion_tokens: 2, total_tokens: 12 } },
}

/** An answer of "Fine." */
export const answering = (_: Asked, answer: ScriptedAnswer) =>
  sendEvents(answer, ['event: ping', message('Fine'), message('.'), messageEnd])

/** The setting of a channel whose app is known. */
export const chatApp = '{"dify_app":"chat"}'

const root = await setUp()
const channels: number[] = []
let made = 0

afterEach(async () => {
  for (const id of channels.splice(0)) await root.delete(`/api/channel/${id}`)
})

/** A channel of an app, until the end of the test, under a model of its own unless `fields` names one. */
export async function appAt(base_url: string, fields: Json = {}) {
  const model = (fields.models as string | undefined) ?? `dify-app-${++made}`
  await setOption('ModelRatio', JSON.stringify({ [model]: 1 }))
  const { id } = await makeChannel(root, { type: 37, key: `app-secret-${made}`, base_url, models: model, ...fields })
  channels.push(id)
  return { id, model }
}
