/** Streams that the end of the process cuts short: each ends as its client's format fails, and what came is billed. */
import { expect, test } from 'bun:test'
import type { ClientFormatName } from '../../../src/formats/canonical/chat.ts'
import { formats } from '../../../src/formats/index.ts'
import { abortCalls, beginStopping } from '../../../src/process/shutdown.ts'
import { beginning } from '../../formats/wire/index.ts'
import { logsOf } from '../../support/app/logs.ts'
import { violations } from '../../support/grammar/index.ts'
import { client, RICH } from '../../support/people/client.ts'
import { textArrives } from '../../support/people/responses.ts'
import { until } from '../../support/until.ts'
import { deleteChannels } from '../../support/upstream/served-channel.ts'
import { callIn, channelFor, serverOf } from '../../support/upstream/translation.ts'

/** A stream that has begun and goes on for ever. */
async function begun(caller: ClientFormatName) {
  const ann = await client()
  const response = await callIn(caller, ann, { stream: true })
  await textArrives(response, 'Four')
  return { caller, ann, whole: response.text() }
}

test('every stream, native or translated, ends with a failure of its client’s format and a bill of what came', async () => {
  const running: (Awaited<ReturnType<typeof begun>> & { upstream: ClientFormatName })[] = []
  const left: Promise<void>[] = []
  for (const upstream of formats) {
    await deleteChannels()
    await channelFor(upstream)
    serverOf(upstream).scripts(async answer => {
      await answer.head(200, { 'content-type': 'text/event-stream' }, 'chunked')
      await answer.write(beginning(upstream))
      left.push(answer.left)
      await answer.left
    })
    for (const caller of formats) running.push({ ...(await begun(caller)), upstream })
  }
  beginStopping()
  abortCalls()
  for (const { caller, upstream, ann, whole } of running) {
    const text = await whole
    const route = [caller, upstream]
    expect([route, violations(caller, text)]).toEqual([route, []])
    expect([route, text.includes('restarting')]).toEqual([route, true])
    const entry = await until(async () => (await logsOf(ann.person))[0])
    expect([route, entry.other]).toMatchObject([route, { partial: true, stream_status: 'stopped' }])
    const output = entry.other.lines.find(({ bucket }: { bucket: string }) => bucket === 'output')
    expect([route, output.count > 0, entry.prompt_tokens > 0]).toEqual([route, true, true])
    expect([route, RICH - (await ann.balance())]).toEqual([route, entry.quota])
  }
  await Promise.all(left)
})
