// @engine sqlite
// @waits
/** Answers that are long in coming: they come all the same. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { connect } from 'node:net'
import { run, type Server, startServer } from '../support/app/server.ts'
import { makeSite, setOption } from '../support/app/site.ts'
import { openCall, readToEnd, statusIn } from '../support/people/raw-call.ts'
import { chat } from '../support/upstream/chat-scripts.ts'
import { fakeUpstream, type Upstream } from '../support/upstream/openai.ts'

const short = 'gpt-4o'
const long = 'gpt-4o-mini'
const [SHORT_MS, LONG_MS] = [45_000, 200_000]
/** As the site comes: a comment a minute. */
const COMMENTS = 3

let server: Server
let upstream: Upstream
let key: string
beforeAll(async () => {
  server = await startServer()
  upstream = await fakeUpstream()
  key = await makeSite(server.url, upstream, `${short},${long}`)
  for (const [model, ms] of [
    [short, SHORT_MS],
    [long, LONG_MS],
  ] as const)
    upstream.scripts(model, async (call, answer) => {
      await Bun.sleep(ms)
      await chat({ text: 'at last' })(call, answer)
    })
})
afterAll(async () => {
  await server.stop('SIGKILL')
  upstream.stop()
})

test(
  'an upstream silent for 45 or 200 seconds is waited for, whole or streamed, with comments or without',
  async () => {
    const call = (model: string, stream: boolean) => readToEnd(openCall(server.url, key, { model, stream }))
    const [quiet, whole] = [call(long, true), call(long, false)]
    while (upstream.journal.length < 2) await Bun.sleep(10)
    await setOption(server.url, 'general_setting.ping_interval_enabled', true)
    const [entertained, shortly] = [call(long, true), call(short, true)]

    expect(await shortly).toContain('data: [DONE]\n\n')
    expect(await shortly).not.toContain('PING')
    expect(statusIn(await whole)).toBe(200)
    expect(await whole).toContain('at last')
    expect(await quiet).toContain('data: [DONE]\n\n')
    expect(await quiet).not.toContain('PING')
    expect(await entertained).toContain('data: [DONE]\n\n')
    expect((await entertained).match(/^: PING$/gm)).toHaveLength(COMMENTS)
    expect((await run(['audit'], { folder: server.folder })).code).toBe(0)
  },
  LONG_MS + 100_000,
)

test('a connection that is idle after a response of the console is closed', async () => {
  const { promise: closed, resolve: close } = Promise.withResolvers<string>()
  const { hostname, port } = new URL(server.url)
  let text = ''
  const socket = connect(Number(port), hostname, () => socket.write('GET /login HTTP/1.1\r\nhost: localhost\r\n\r\n'))
  socket.on('data', data => (text += data)).on('close', () => close(text))
  expect((await closed).startsWith('HTTP/1.1 200 OK\r\n')).toBe(true)
})
