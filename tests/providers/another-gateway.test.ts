// @engine sqlite
/** Another gateway as an upstream: chats in the caller's format, where it has that. */
import { expect, test } from 'bun:test'
import { anthropic } from '../../src/formats/anthropic/index.ts'
import { gemini } from '../../src/formats/gemini/index.ts'
import { openAiChat } from '../../src/formats/openai-chat/index.ts'
import { buildRequest, passedApi, pickApi, providerOf } from '../../src/providers/index.ts'
import { setOption } from '../support/app/options.ts'
import { client } from '../support/people/client.ts'
import { setUp } from '../support/people/person.ts'
import { makeChannel } from '../support/upstream/channel.ts'
import { listen } from '../support/upstream/http-server.ts'

const base = 'https://other.example'
const cases = [
  [openAiChat, `${base}/v1/chat/completions`, { authorization: 'Bearer sk-1' }],
  [anthropic, `${base}/v1/messages`, { 'x-api-key': 'sk-1', 'anthropic-version': '2023-06-01' }],
  [gemini, `${base}/v1beta/models/m:generateContent`, { 'x-goog-api-key': 'sk-1' }],
] as const

test.each([59, 60])('type %p receives each format at its own path with the key in its own header', type => {
  for (const base_url of [base, `${base}/`, `${base}/v1`]) {
    for (const [format, url, headers] of cases) {
      const config = { base_url, key: 'sk-1' }
      const api = pickApi(providerOf(type)!, { operation: 'chat', model: 'm', config, client: format })!
      const request = buildRequest(passedApi(api), config, 'm', { model: 'm', messages: [], contents: [] })
      expect(request.url).toBe(url)
      expect(request.headers).toEqual({ 'content-type': 'application/json', ...headers })
    }
  }
})

test('a model in the path of the Gemini API stays within its folder', () => {
  const choice = {
    operation: 'chat',
    model: '../a/b?c',
    config: { base_url: base, key: 'sk-1' },
    client: gemini,
  } as const
  const api = pickApi(providerOf(60)!, choice)!
  expect(api.url(choice.config, choice.model, true, {})).toBe(
    `${base}/v1beta/models/a/b%3Fc:streamGenerateContent?alt=sse`,
  )
})

test('a gateway without the Messages API receives the chat of an Anthropic client in OpenAI’s format', async () => {
  const paths: string[] = []
  const server = await listen(({ target }, answer) => {
    paths.push(target)
    if (target === '/v1/messages') return answer.json({ error: { message: 'no such page' } }, 404)
    const message = { role: 'assistant', content: 'Hello' }
    const usage = { prompt_tokens: 3, completion_tokens: 1, total_tokens: 4 }
    return answer.json({ id: 'c1', model: 'm', choices: [{ index: 0, message, finish_reason: 'stop' }], usage })
  })
  const root = await setUp()
  await setOption('ModelRatio', '{"plain-model":1}')
  await makeChannel(root, { type: 60, models: 'plain-model', base_url: `http://127.0.0.1:${server.port}` })
  const ann = await client()
  const response = await fetch(`${ann.url}/v1/messages`, {
    method: 'POST',
    headers: { 'x-api-key': `sk-${ann.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'plain-model', max_tokens: 5, messages: [{ role: 'user', content: 'Hi' }] }),
  })
  expect(await response.json()).toMatchObject({ type: 'message', content: [{ type: 'text', text: 'Hello' }] })
  expect(paths).toEqual(['/v1/messages', '/v1/chat/completions'])
  await server.stop()
})
