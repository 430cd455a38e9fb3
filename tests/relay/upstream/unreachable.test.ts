// @engine sqlite
// @waits
/** Unreachable upstreams fail over sooner than slow ones. */
import { afterAll, expect, test } from 'bun:test'
import { connect, type Socket } from 'node:net'
import { setCoarseTimer } from '../../../src/process/coarse-timer.ts'
import { logsOf } from '../../support/app/logs.ts'
import { setOption } from '../../support/app/options.ts'
import { setEnv } from '../../support/env.ts'
import { client, MODEL, RICH } from '../../support/people/client.ts'
import { errorOf, readStream } from '../../support/people/responses.ts'
import { chat, gate, hangs } from '../../support/upstream/chat-scripts.ts'
import type { Script } from '../../support/upstream/openai.ts'
import { httpProxy } from '../../support/upstream/proxies.ts'
import { channelTo, deleteChannels, served, startUpstream } from '../../support/upstream/served-channel.ts'

/** More than any machine keeps waiting at a door that nobody opens. */
const CROWD = 1500
const listener = `const server = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data() {} } }); console.log(server.port)`

const stopped = Bun.spawn([process.execPath, '-e', listener], { stdout: 'pipe' })
const waiting: Socket[] = []
afterAll(() => {
  for (const socket of waiting) socket.destroy()
  stopped.kill('SIGKILL')
})

/** The address of a host that is as good as switched off: nobody takes connections, and no more can wait. */
async function nobodyThere(): Promise<string> {
  const { value } = await stopped.stdout.getReader().read()
  const port = Number(new TextDecoder().decode(value))
  stopped.kill('SIGSTOP')
  for (let count = 0; count < CROWD; count++) waiting.push(connect(port, '127.0.0.1').on('error', () => undefined))
  return `http://127.0.0.1:${port}`
}

test('an unreachable upstream fails over in seconds, or costs nothing without another channel', async () => {
  const url = await nobodyThere()
  await deleteChannels()
  await channelTo(url, { priority: 9, models: `${MODEL},gpt-4o-mini` })
  await served(chat())
  await setOption('RetryTimes', 1)
  const [ann, eve] = [await client(), await client()]
  const [saved, lost] = await Promise.all([ann.chat(), eve.chat({ model: 'gpt-4o-mini' })])
  expect(saved.status).toBe(200)
  const [entry] = await logsOf(ann.person)
  expect(entry.other.admin_info.attempts[0]).toMatchObject({ status: 0, reason: 'unreachable: no connection' })
  expect(await errorOf(lost)).toMatchObject({ status: 502, message: expect.not.stringMatching(/127\.0/) })
  expect(await eve.balance()).toBe(RICH)
})

test('a slow upstream is waited for, with comments where its response comes whole', async () => {
  await deleteChannels()
  const late: Script = async (call, answer) => {
    await Promise.race([hangs()(call, answer), Bun.sleep(7000)])
    await chat({ text: 'At last' })(call, answer)
  }
  const slow = await served(late)
  await served(late, { models: 'gpt-4o-mini', setting: '{"stream_support":"NON_STREAM_ONLY"}' }, 'gpt-4o-mini')
  // Behind a proxy it is the proxy that has to be there: nobody else can reach the host.
  const proxy = await httpProxy((await startUpstream(late, 'gpt-4.1')).url)
  const setting = JSON.stringify({ proxy: proxy.url })
  await channelTo('http://far-away.invalid', { models: 'gpt-4.1', setting })
  const ann = await client()
  const [whole, far, streamed] = await Promise.all([
    ann.chat(),
    ann.chat({ model: 'gpt-4.1' }),
    ann.stream({ model: 'gpt-4o-mini' }).then(answer => readStream(answer)),
  ])
  expect([whole.status, slow.calls(), far.status]).toEqual([200, 1, 200])
  expect(streamed).toMatchObject({ text: 'At last', done: true, raw: expect.stringMatching(/^: PING\n\n/) })
})

test('a started response may take longer than the connect timeout', async () => {
  await deleteChannels()
  const held = gate()
  await served(held.script)
  const ann = await client()
  const restore = setEnv({ UPSTREAM_TIMEOUT: 5 })
  const answer = await ann.stream()
  restore()
  // Set after the one for its beginning, this one rings after it.
  await new Promise<void>(resolve => setCoarseTimer(5000, resolve))
  held.open()
  expect(await readStream(answer)).toMatchObject({ done: true })
})
