// @engine sqlite
/** Functions whose names an upstream would refuse. */
import { expect, test } from 'bun:test'
import type { ChatRequest, ChatResponse } from '../../src/formats/canonical/chat.ts'
import { chatFormats } from '../../src/formats/index.ts'
import { streamResponse, translateResponse } from '../../src/formats/translate/translate.ts'
import { labelFor, sent } from './support.ts'

const long = `mcp__${'server_'.repeat(12)}search`
const asking = (name: string) => ({
  contents: [
    { role: 'user', parts: [{ text: 'Hi' }] },
    { role: 'model', parts: [{ functionCall: { id: 'c', name, args: {} } }] },
    { role: 'user', parts: [{ functionResponse: { id: 'c', name, response: {} } }] },
  ],
  tools: [{ functionDeclarations: [{ name }, { name: 'other' }] }],
  toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: [name] } },
})
const names = (text: string) => [...new Set(text.match(/(?<="name":")[^"]+|(?<=allowedFunctionNames":\[")[^"]+/g))]

test.each([
  ['openai-chat', long, 64],
  ['openai-chat', 'a.b:c', 64],
  ['openai-responses', long, 64],
  ['anthropic', 'a.b', 128],
  ['gemini', '9lives', 64],
] as const)('%s: %s goes by another, and comes back under its own', (upstream, name, most) => {
  const body = sent('gemini', asking(name), upstream)
  const [theirs = '', ...others] = names(JSON.stringify(body))
  expect(others.filter(other => other !== 'function')).toEqual(['other'])
  expect(theirs).not.toBe(name)
  expect(theirs.length).toBeLessThanOrEqual(most)
  expect(theirs).toMatch(upstream === 'gemini' ? /^[a-z_]/i : /^[\w-]+$/)
  const request = chatFormats.gemini.readRequest(asking(name), { model: 'm' }) as ChatRequest
  const route = { client: chatFormats.gemini, upstream: chatFormats[upstream], label: labelFor(request) }
  const call = { kind: 'tool_call', id: 'c', name: theirs, arguments: '{}' } as const
  const answer: ChatResponse = {
    id: '',
    model: 'm',
    doubts: [],
    choices: [{ parts: [call], finish: { reason: 'stop' } }],
  }
  expect(names(JSON.stringify(translateResponse(route, answer)))).toEqual([name])
  expect(names(streamResponse(route, answer))).toEqual([name])
})
