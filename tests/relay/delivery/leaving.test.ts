/** Clients that leave before the usage report: the upstream is read on, and the bill is that of its report. */
import { afterAll, expect, test } from 'bun:test'
import { auditWallets } from '../../../src/domain/wallet/audit.ts'
import type { ClientFormatName } from '../../../src/formats/canonical/chat.ts'
import { app } from '../../support/app/app.ts'
import { logsOf } from '../../support/app/logs.ts'
import { setPrice } from '../../support/app/prices.ts'
import { type Client, client, RICH } from '../../support/people/client.ts'
import { until } from '../../support/until.ts'
import { channelOf, upstreamOf } from '../../support/upstream/format-upstreams.ts'
import type { ScriptedAnswer } from '../../support/upstream/http-server.ts'
import { Pause, pausedStream, pausedWhole, pausedWires, type Report } from '../../support/upstream/paused-upstream.ts'

const formats = Object.keys(pausedWires) as ClientFormatName[]
const models = formats.map(format => pausedWires[format].model)
await setPrice('ModelRatio', Object.fromEntries(models.map(model => [model, 1])))
await setPrice('CompletionRatio', Object.fromEntries(models.map(model => [model, 4])))
const costOf = ({ prompt, output }: Report) => prompt + 4 * output

/** Of each upstream, what it does with its next calls. */
const scripts: ((answer: ScriptedAnswer) => Promise<void>)[] = []
for (const format of formats) {
  const upstream = await upstreamOf(format)
  upstream.scripts(answer => scripts.shift()!(answer))
  await channelOf(format, upstream, { models: pausedWires[format].model })
  afterAll(() => expect(upstream.violations).toEqual([]))
}

const MOMENTS = 50
const words = [...Array.from({ length: 30 }, (_, index) => `word${index} `), 'END']
const reports = Array.from(
  { length: MOMENTS },
  (_, index): Report => ({ prompt: 20, output: 4000 + index, reasoning: 3900 }),
)

/** All calls are sent, each upstream stops at its own moment, all clients leave, and the upstreams go on. */
async function leaveAt(ann: Client, format: ClientFormatName, stream: boolean) {
  const { path, streamPath, body, model, events, whole } = pausedWires[format]
  const pauses = reports.map((report, moment) => {
    const pause = new Pause()
    const share = moment / (MOMENTS - 1)
    const { head, words: told, tail } = events(words, report)
    const all = [...head, ...told, ...tail]
    const at = Math.floor(share * (all.length - 1))
    scripts.push(
      stream
        ? pausedStream(all.slice(0, at), all.slice(at), pause)
        : pausedWhole(whole(words.join(''), report), share, pause),
    )
    return pause
  })
  const leaving = new AbortController()
  const sent = reports.map(() =>
    ann
      .postTo(
        (stream && streamPath) || path,
        { model, ...body, ...(!streamPath && { stream }) },
        { signal: leaving.signal },
      )
      .catch(() => 0),
  )
  await Promise.all(pauses.map(pause => pause.arrived))
  leaving.abort()
  await Promise.all(sent)
  await until(() => app.server!.pendingRequests === 0)
  for (const pause of pauses) pause.release()
}

const billed = (ann: Client, calls: number) =>
  until(async () => (await ann.person.get('/api/user/self')).data.request_count === calls)

test.each(
  formats.flatMap(format => [true, false].map(stream => [stream ? 'stream' : 'whole answer', format, stream] as const)),
)('a %s of %s that is left at any of 50 moments costs what the upstream reports', async (_, format, stream) => {
  const ann = await client()
  await leaveAt(ann, format, stream)
  await billed(ann, MOMENTS)
  const reported = reports.reduce((sum, report) => sum + costOf(report), 0)
  expect(RICH - (await ann.balance())).toBe(reported)
  const entries = await logsOf(ann.person)
  expect(entries.filter(({ other }: any) => !other.partial || other.counted_locally)).toEqual([])
  expect((await auditWallets()).difference).toBeUndefined()
})
