// @engine sqlite
/** The kind of a Dify app decides where its calls go: it is set, or Dify is asked for it once. */
import { describe, expect, spyOn, test } from 'bun:test'
import { jobsDone } from '../../src/cluster/leases.ts'
import { ChannelStatus } from '../../src/contracts/channel.ts'
import { shiftClock } from '../../src/process/clock.ts'
import { setOption } from '../support/app/options.ts'
import { setEnv } from '../support/env.ts'
import { client } from '../support/people/client.ts'
import { setUp } from '../support/people/person.ts'
import { until } from '../support/until.ts'
import { channelNow } from '../support/upstream/channel.ts'
import { type Asked, conversationServer, sendEvents } from '../support/upstream/conversations.ts'
import { answering, appAt, message, messageEnd } from '../support/upstream/dify.ts'
import type { ScriptedAnswer } from '../support/upstream/http-server.ts'

const root = await setUp()
const ann = await client()

/** After these a kept kind is renewed. */
const HOURS_23_SECONDS = 82_801

const ofMode = (mode?: string) => (_: Asked, answer: ScriptedAnswer) => answer.json({ name: 'App', mode })

const spent = async (act: () => Promise<unknown>) => {
  const before = await ann.balance()
  await act()
  return before - (await ann.balance())
}

describe('the kind of an app', () => {
  const kinds = [
    ['chat', '/v1/chat-messages'],
    ['agent-chat', '/v1/chat-messages'],
    ['advanced-chat', '/v1/chat-messages'],
    ['completion', '/v1/completion-messages'],
    ['workflow', '/v1/workflows/run'],
  ] as const

  test.each(kinds)('%s is found once for calls at the same time, and leads to %s', async (mode, path) => {
    const outputs = {
      event: 'workflow_finished',
      workflow_run_id: 'r',
      data: { status: 'succeeded', outputs: { a: 'Fine' } },
    }
    const last = mode === 'workflow' ? [outputs] : [message('Fine'), messageEnd]
    const server = await conversationServer({
      'GET /v1/info': ofMode(mode),
      'POST /v1/': (_, answer) => sendEvents(answer, last),
    })
    const { model } = await appAt(server.url)
    const statuses = await Promise.all(Array.from({ length: 20 }, async () => (await ann.chat({ model })).status))
    expect(new Set(statuses)).toEqual(new Set([200]))
    const streamed = await ann.stream({ model })
    expect([streamed.status, await streamed.text()]).toEqual([200, expect.stringContaining('Fine')])
    expect([server.count('/v1/info'), server.count(path), server.asked.length]).toEqual([1, 21, 22])
  })

  test.each([
    ['that names no mode', ofMode()],
    [
      'without the path of the app',
      (_: Asked, answer: ScriptedAnswer) => answer.json({ code: 'not_found', message: 'Not Found', status: 404 }, 404),
    ],
  ])('an older server %s is asked for the parameters of the app', async (_, info) => {
    const parameters = { opening_statement: '', suggested_questions: [] }
    const server = await conversationServer({
      'GET /v1/info': info,
      'GET /v1/parameters': (_, answer) => answer.json(parameters),
      'POST /v1/chat-messages': answering,
    })
    const { model } = await appAt(`${server.url}/v1/`)
    expect((await ann.chat({ model })).status).toBe(200)
    expect(server.asked.map(({ target }) => target)).toEqual(['/v1/info', '/v1/parameters', '/v1/chat-messages'])
  })

  test('the setting of the channel spares the question', async () => {
    const server = await conversationServer({ 'POST /v1/chat-messages': answering })
    const { model } = await appAt(server.url, { setting: '{"dify_app":"agent"}' })
    expect((await ann.chat({ model })).status).toBe(200)
    expect(server.asked.map(({ target }) => target)).toEqual(['/v1/chat-messages'])
  })

  test('a channel test finds it too', async () => {
    const server = await conversationServer({ 'GET /v1/info': ofMode('chat'), 'POST /v1/chat-messages': answering })
    const { id } = await appAt(server.url)
    expect(await root.get(`/api/channel/test/${id}`)).toMatchObject({ success: true })
    expect(server.asked.at(-1)!.json).toMatchObject({ query: 'hi', user: 'tollgate', response_mode: 'streaming' })
  })
})

describe('the question for the kind of an app', () => {
  test.each([
    [401, ChannelStatus.autoDisabled],
    [403, ChannelStatus.enabled],
    [429, ChannelStatus.enabled],
    [503, ChannelStatus.enabled],
  ])('refused with %d in a test of all channels, it leaves the channel in state %d', async (status, left) => {
    const server = await conversationServer({
      'GET /v1/info': (_, answer) => answer.json({ code: 'refused', message: 'Not now', status }, status),
    })
    const { id } = await appAt(server.url)
    await setOption('AutomaticDisableChannelEnabled', true)
    try {
      expect(await root.get('/api/channel/test')).toMatchObject({ success: true })
      await jobsDone()
    } finally {
      await setOption('AutomaticDisableChannelEnabled', false)
    }
    expect([server.count('/v1/parameters'), (await channelNow(id)).status]).toEqual([0, left])
  })

  test('a refused key closes the channel, costs nothing and stays secret', async () => {
    const server = await conversationServer({
      'GET /v1/info': ({ headers }, answer) =>
        answer.json({ code: 'unauthorized', message: `Bad ${headers.authorization}`, status: 401 }, 401),
    })
    await setOption('AutomaticDisableChannelEnabled', true)
    const { id, model } = await appAt(server.url, { key: 'app-very-secret-key' })
    const cost = await spent(async () => {
      const response = await ann.chat({ model })
      expect(response.status).toBe(502)
      expect(await response.text()).not.toContain('very-secret')
    })
    expect(cost).toBe(0)
    const channel = await channelNow(id)
    expect(channel.status).toBe(ChannelStatus.autoDisabled)
    expect(JSON.stringify(channel)).not.toContain('very-secret-key')
  })

  test('a refusal in the background leaves calls alone, and no key in the log', async () => {
    const server = await conversationServer({ 'GET /v1/info': ofMode('chat'), 'POST /v1/chat-messages': answering })
    const { model } = await appAt(server.url, { key: 'app-quietly-renewed' })
    expect((await ann.chat({ model })).status).toBe(200)
    server.replies['GET /v1/info'] = ({ headers }, answer) =>
      answer.json({ message: `Bad ${headers.authorization}` }, 401)
    setEnv({ LOG_LEVEL: 'warn' })
    const write = spyOn(process.stderr, 'write').mockImplementation(() => true)
    shiftClock(HOURS_23_SECONDS)
    try {
      expect((await ann.chat({ model })).status).toBe(200)
      const lines = await until(
        () => write.mock.calls.map(String).filter(line => line.includes('token not renewed'))[0],
      )
      expect(lines).toContain('Bad Bearer ***')
    } finally {
      shiftClock(-HOURS_23_SECONDS)
      write.mockRestore()
    }
  })

  test.each([
    ['HTML', (_: Asked, answer: ScriptedAnswer) => answer.json('<html>Not Dify</html>')],
    ['an error of the server', (_: Asked, answer: ScriptedAnswer) => answer.json({ message: 'Down' }, 500)],
  ])('a question that %s answers is the failure of the channel, and is asked again', async (_, reply) => {
    const server = await conversationServer({ 'GET /v1/': reply, 'POST /v1/chat-messages': answering })
    const { model } = await appAt(server.url)
    expect((await ann.chat({ model })).status).toBe(502)
    expect(server.count('/v1/chat-messages')).toBe(0)
    server.replies['GET /v1/'] = ofMode('chat')
    const other = await appAt(server.url, { key: 'app-secret-again' })
    expect((await ann.chat({ model: other.model })).status).toBe(200)
  })
})
