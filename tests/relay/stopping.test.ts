/** The end of the process: no new calls, and running ones are told, and billed for what they had. */
import { expect, test } from 'bun:test'
import { beginStopping, endNow } from '../../src/kit/life.ts'
import { channelTo, client, logsOf, readStream, startUpstream, told } from '../support/relay.ts'
import { hangsAfter } from '../support/scripts.ts'

test('a running stream may go on until the deadline, then it ends inside', async () => {
  const upstream = await startUpstream(hangsAfter(4))
  await channelTo(upstream)
  const ann = await client()
  const running = await ann.stream()
  beginStopping()
  const late = await ann.chat()
  expect(late.headers.get('retry-after')).toBe('1')
  expect(await told(late)).toMatchObject({ status: 503, code: 'stopping' })
  endNow()
  expect(await readStream(running)).toMatchObject({ text: 'one two three ', done: false, error: { code: 'stopping' } })
  expect(await upstream.journal[0]!.ended).toBe('aborted')
  const [entry] = await logsOf(ann.person)
  expect(entry).toMatchObject({ completion_tokens: 3, other: { stream_status: 'stopped', partial: true } })
})
