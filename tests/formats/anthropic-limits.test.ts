// @engine sqlite
/** What Anthropic accepts of cache marks and of a conversation's end. */
import { expect, test } from 'bun:test'
import type { Json } from '../../src/pure/json.ts'
import { chat, sent, user } from './support.ts'

const kept = () => ({ cache_control: { type: 'ephemeral' } })

test('anthropic: of more than four cache marks, the first and the last three are sent', () => {
  const part = (at: number) => ({ type: 'text', text: `Text ${at}.`, ...kept() })
  const content = [1, 2, 3, 4, 5].map(part)
  const body = { model: 'm', messages: [{ role: 'system', content: [part(0)] }, user(content)] }
  const { system, messages } = sent('openai-chat', body, 'anthropic')
  expect(system).toEqual([part(0)])
  const [bare, marked] = [content.slice(0, 2).map(({ type, text }) => ({ type, text })), content.slice(2)]
  expect(messages).toEqual([user([...bare, ...marked])])
})

test('anthropic: Claude since 4.6 gets a message of the user after one of the assistant', () => {
  const messages = [user('Go'), { role: 'assistant', content: 'It is ' }]
  const last = (model: string) => (sent('openai-chat', chat(messages), 'anthropic', model).messages as Json[]).at(-1)
  expect(last('claude-opus-4-5')).toEqual({ role: 'assistant', content: 'It is' })
  expect(last('claude-opus-4-6')).toEqual(user('...'))
})
