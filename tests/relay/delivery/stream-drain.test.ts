/** Upstreams that go on after their last event. */
import { expect, test } from 'bun:test'
import { logsOf } from '../../support/app/logs.ts'
import { client, MODEL } from '../../support/people/client.ts'
import { readStream } from '../../support/people/responses.ts'
import type { Script } from '../../support/upstream/openai.ts'
import { channelTo, startUpstream } from '../../support/upstream/served-channel.ts'

const said = (value: object) => `data: ${JSON.stringify({ id: 'x', ...value })}\n\n`
const whole = [
  said({ choices: [{ index: 0, delta: { content: 'hello' } }] }),
  said({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }),
  said({ choices: [], usage: { prompt_tokens: 9, completion_tokens: 1 } }),
  'data: [DONE]\n\n',
]

const endless: Script = async (_, answer) => {
  await answer.head(200, { 'content-type': 'text/event-stream' }, 'chunked')
  for (const event of whole) await answer.write(event)
  while (!answer.gone) {
    await answer.write(': still here\n\n')
    await Bun.sleep(50)
  }
}

test('an upstream that goes on after its last event is aborted, and the response is complete and billed', async () => {
  const upstream = await startUpstream(endless, MODEL)
  await channelTo(upstream)
  const ann = await client()
  expect(await readStream(await ann.stream())).toMatchObject({ text: 'hello', done: true })
  const ended = await Promise.race([upstream.journal[0]!.ended, Bun.sleep(60_000)])
  expect(ended).toBeOneOf(['aborted', 'completed'])
  const [entry] = await logsOf(ann.person)
  expect(entry).toMatchObject({ prompt_tokens: 9, completion_tokens: 1, other: { stream_status: 'finished' } })
})
