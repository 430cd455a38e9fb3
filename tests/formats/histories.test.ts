// @engine sqlite
/** Random conversations between all formats. A failure prints its seed and path. */
import { expect, test } from 'bun:test'
import { instructionsOf } from '../../src/formats/canonical/alternating.ts'
import type { ChatMessage, ChatRequest } from '../../src/formats/canonical/chat.ts'
import { withPairedCalls } from '../../src/formats/canonical/paired-calls.ts'
import { chatFormats, formats } from '../../src/formats/index.ts'
import { inTier } from '../support/tier.ts'
import { checkHistories } from './histories/check.ts'
import { strictUpstreams } from './rules/index.ts'

const [RUNS, SEED] = [inTier({ short: 500, long: 2000 }), Number(process.env.HISTORY_SEED ?? 19)]

test('every upstream format has the rules of its maker', () => {
  for (const { title, flawOf } of strictUpstreams) expect([title, typeof flawOf]).toEqual([title, 'function'])
  expect(formats.filter(name => !strictUpstreams.some(({ format }) => format.name === name))).toEqual([])
})

test('histories: turns of assistants with different names stay apart, those of one are joined', () => {
  const call = (id: string) => ({ kind: 'tool_call', id, name: 'f', arguments: '{}' }) as const
  const turn = (name: string, id: string): ChatMessage => ({ role: 'assistant', name, parts: [call(id)] })
  const idsOf = (...turns: ChatMessage[]) =>
    withPairedCalls(turns)
      .filter(({ role }) => role === 'assistant')
      .map(({ name, parts }) => [name, parts.length])
  expect(idsOf(turn('ann', 'a'), turn('bob', 'b'))).toEqual([
    ['ann', 1],
    ['bob', 1],
  ])
  expect(idsOf(turn('ann', 'a'), turn('ann', 'b'))).toEqual([['ann', 2]])
})

test('histories: instructions without a letter are left out', () => {
  const text = (text: string) => ({ kind: 'text', text }) as const
  const later = { role: 'system', parts: [text('\n'), text('Be kind.')] } as const
  const request = { system: [text(' '), text('Be brief.')], messages: [later] }
  expect(instructionsOf(request as unknown as ChatRequest, false)).toBe('Be brief.\nBe kind.')
})

test('histories: a tool that a message of Anthropic defines anew replaces the one of its name', () => {
  const tool = (description: string) => ({ name: 'look_up', description, input_schema: { type: 'object' } })
  const addition = { type: 'tool_addition', tool: { definition: tool('new') } }
  const messages = [{ role: 'user', content: [{ type: 'text', text: 'Hi' }, addition] }]
  const read = chatFormats.anthropic.readRequest({ model: 'm', max_tokens: 9, tools: [tool('old')], messages })
  expect(read).toMatchObject({ tools: [{ name: 'look_up', description: 'new' }] })
})

test('histories of every client are accepted by every upstream, with every call, result and own thought', () => {
  checkHistories(RUNS, SEED)
}, 240_000)
