// @engine sqlite
/** Providers with an Anthropic API beside their own: Anthropic clients reach it untranslated. */
import { beforeEach, describe, expect, test } from 'bun:test'
import { client, MODEL, quotaOf, RICH } from '../../support/people/client.ts'
import { listen } from '../../support/upstream/http-server.ts'
import { channelTo, deleteChannels } from '../../support/upstream/served-channel.ts'

const DEEPSEEK = 43
const MIRROR = '/anthropic/v1/messages'
const model_mapping = JSON.stringify({ [MODEL]: 'deepseek-chat' })
const body = { model: MODEL, max_tokens: 100, messages: [{ role: 'user', content: 'Say hello' }] }

const message = {
  ...{ id: 'm1', type: 'message', role: 'assistant', model: 'deepseek-chat', stop_reason: 'end_turn' },
  content: [{ type: 'text', text: 'Hello' }],
  usage: { input_tokens: 10, output_tokens: 4 },
}
const completion = {
  ...{ id: 'c1', object: 'chat.completion', created: 1, model: 'deepseek-chat' },
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hello' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 10, completion_tokens: 4, total_tokens: 14 },
}

/** A server of DeepSeek's kind, with these answers by path. */
async function deepSeek(answers: Record<string, [status: number, body: unknown]>) {
  const asked: string[] = []
  const server = await listen(async ({ target }, answer) => {
    asked.push(target)
    const [status, said] = answers[target] ?? [404, { error: { message: 'no such path' } }]
    await answer.json(said, status)
  })
  await channelTo(`http://127.0.0.1:${server.port}`, { type: DEEPSEEK, model_mapping })
  return { asked, stop: server.stop }
}

beforeEach(deleteChannels)

describe('calls of Anthropic clients', () => {
  test('the request passes to the Anthropic API untouched', async () => {
    const { asked, stop } = await deepSeek({ [MIRROR]: [200, message], '/v1/chat/completions': [200, completion] })
    const ann = await client()
    const told = await (await ann.postTo('/v1/messages', body)).json()
    expect(told).toMatchObject({ id: 'm1', content: message.content })
    expect((await ann.chat()).status).toBe(200)
    expect(asked).toEqual([MIRROR, '/v1/chat/completions'])
    expect(await ann.balance()).toBe(RICH - 2 * quotaOf(10, 4))
    stop()
  })

  test.each([404, 405, 410])(
    'status %d from the Anthropic API falls back to translation, once per base URL',
    async status => {
      const { asked, stop } = await deepSeek({ [MIRROR]: [status, {}], '/v1/chat/completions': [200, completion] })
      const ann = await client()
      for (let call = 0; call < 2; call++) {
        const told = await (await ann.postTo('/v1/messages', body)).json()
        expect(told).toMatchObject({
          type: 'message',
          content: [{ type: 'text', text: 'Hello' }],
          stop_reason: 'end_turn',
        })
      }
      expect(asked).toEqual([MIRROR, '/v1/chat/completions', '/v1/chat/completions'])
      expect(await ann.balance()).toBe(RICH - 2 * quotaOf(10, 4))
      stop()
    },
  )

  test('a model that neither API has answers 404, and the Anthropic API is asked again', async () => {
    const missing: [number, unknown] = [404, { error: { type: 'not_found_error', message: 'no such model' } }]
    const { asked, stop } = await deepSeek({ [MIRROR]: missing, '/v1/chat/completions': missing })
    const ann = await client()
    for (let call = 0; call < 2; call++) expect((await ann.postTo('/v1/messages', body)).status).toBe(404)
    expect(asked).toEqual([MIRROR, '/v1/chat/completions', MIRROR, '/v1/chat/completions'])
    expect(await ann.balance()).toBe(RICH)
    stop()
  })

  test('other errors of the Anthropic API reach the client', async () => {
    const refusal = { type: 'error', error: { type: 'invalid_request_error', message: 'max_tokens: too many' } }
    const { asked, stop } = await deepSeek({ [MIRROR]: [400, refusal], '/v1/chat/completions': [200, completion] })
    const ann = await client()
    const response = await ann.postTo('/v1/messages', body)
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ error: { message: expect.stringContaining('too many') } })
    expect(asked).toEqual([MIRROR])
    stop()
  })
})
