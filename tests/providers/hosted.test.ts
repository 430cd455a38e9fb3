// @engine sqlite
/** Tools that providers run themselves, by the address that serves a model. */
import { expect, test } from 'bun:test'
import { hostedTools, passedApi, pickApi, providerOf } from '../../src/providers/index.ts'
import { draftRequest } from '../../src/providers/kit/request.ts'

const config = (key: string) => ({ base_url: '', key })
const [BEDROCK, VERTEX, ANTHROPIC] = [33, 41, 14]

const ACCOUNT = JSON.stringify({ project_id: 'p', client_email: 'a@b.c', private_key: 'k' })

const apiOf = (type: number, model: string) =>
  pickApi(providerOf(type)!, { operation: 'chat', model, config: config(type === VERTEX ? ACCOUNT : 'a|b|us-east-1') })!

test.each([
  [ANTHROPIC, ['web_search', 'code_execution']],
  [BEDROCK, []],
  [VERTEX, ['web_search']],
])('channel type %p runs tools of its own for Claude: %p', (type, tools) => {
  expect([...hostedTools(apiOf(type, 'claude-sonnet-9'), 'claude-sonnet-9')]).toEqual(tools as never[])
})

test('Vertex AI is not asked to show the calls of Google’s tools, a field that it refuses', () => {
  const toolConfig = { functionCallingConfig: { mode: 'VALIDATED' }, includeServerSideToolInvocations: true }
  const body = { contents: [{ role: 'user', parts: [{ text: 'Hi' }] }], toolConfig }
  const sent = draftRequest(passedApi(apiOf(VERTEX, 'gemini-9-flash')), config(ACCOUNT), 'gemini-9-flash', body).body
  expect(sent.toolConfig).toEqual({ functionCallingConfig: { mode: 'VALIDATED' } })
  expect(body.toolConfig).toBe(toolConfig)
})
