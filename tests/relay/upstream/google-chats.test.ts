// @engine sqlite
/** Chats of Google's SDK over upstreams of other formats: its history keeps every turn, streamed and whole. */
import { describe, expect, test } from 'bun:test'
import type { Chat } from '@google/genai'
import { formats } from '../../../src/formats/index.ts'
import type { Json } from '../../formats/wire/sse.ts'
import { client, MODEL } from '../../support/people/client.ts'
import { googleOf } from '../../support/people/sdk-clients.ts'
import { deleteChannels } from '../../support/upstream/served-channel.ts'
import { channelFor, lastRequest, serverOf } from '../../support/upstream/translation.ts'

const ways = {
  whole: (chat: Chat, message: Parameters<Chat['sendMessage']>[0]['message']) => chat.sendMessage({ message }),
  streamed: async (chat: Chat, message: Parameters<Chat['sendMessage']>[0]['message']) =>
    Array.fromAsync(await chat.sendMessageStream({ message })),
}
const questions = ['my name is Bob', 'what did I ask?', 'and who am I?']

describe.each([...formats])('upstream %s', upstream => {
  describe.each(Object.entries(ways))('answers are %s', (_, send) => {
    const started = async (config: Json = {}) => {
      await deleteChannels()
      await channelFor(upstream)
      return googleOf(await client()).chats.create({ model: MODEL, config })
    }
    const turnsSent = () => JSON.stringify(lastRequest(upstream).body)

    test('google chats: the curated history and the next request have every turn', async () => {
      const chat = await started()
      serverOf(upstream).plays('text')
      for (const question of questions) await send(chat, question)
      const kept = chat.getHistory(true)
      const asked = kept.filter(({ role }) => role === 'user').map(({ parts }) => parts![0]!.text)
      expect(asked).toEqual(questions)
      const answered = kept.filter(({ role }) => role === 'model').flatMap(({ parts = [] }) => parts)
      expect(answered.map(({ text }) => text).join('')).toBe('Four 四.'.repeat(questions.length))
      for (const question of questions) expect(turnsSent()).toContain(question)
      expect(turnsSent().match(/Four/g)).toHaveLength(questions.length - 1)
    })

    test('google chats: a tool loop sends the calls with their results', async () => {
      const weather = { name: 'weather', parametersJsonSchema: { type: 'object', properties: {} } }
      const chat = await started({ tools: [{ functionDeclarations: [weather] }] })
      serverOf(upstream).plays('tools')
      await send(chat, 'Look')
      const calls = chat.getHistory(true).flatMap(({ parts = [] }) => parts.flatMap(part => part.functionCall ?? []))
      expect(calls.map(({ args }) => args)).toEqual([{ city: 'Oslo' }, { city: 'Bergen' }])
      serverOf(upstream).plays('text')
      await send(
        chat,
        calls.map(({ id, name }) => ({ functionResponse: { id, name, response: { result: 'sunny' } } })),
      )
      expect(chat.getHistory(true).at(-1)!.role).toBe('model')
      expect(['Look', 'Oslo', 'Bergen', 'sunny'].filter(word => !turnsSent().includes(word))).toEqual([])
      expect(serverOf(upstream).violations).toEqual([])
    })
  })
})
