// @engine sqlite
/** Prometheus' own tool reads the metrics and the alert rules. */
import { beforeAll, expect, test } from 'bun:test'
import { countCall } from '../../src/relay/watching/call-metrics.ts'
import { metricsText } from '../support/app/metrics.ts'
import { bringPackages } from '../support/debian-packages.ts'
import { client, MODEL } from '../support/people/client.ts'
import { chat, inTurn, refuses } from '../support/upstream/chat-scripts.ts'
import { served } from '../support/upstream/served-channel.ts'

beforeAll(() => bringPackages(['promtool']), 300_000)

async function promtool(args: string[], stdin = '') {
  const child = Bun.spawn(['promtool', ...args], { stdin: new Blob([stdin]), stdout: 'pipe', stderr: 'pipe' })
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  return { code: await child.exited, out, err }
}

test('promtool has nothing to say of the metrics after calls of every kind', async () => {
  await served(inTurn(chat(), chat(), refuses(400), chat()), { models: `${MODEL},odd"\\name` })
  const bob = await client()
  for (const call of [bob.chat(), bob.stream()]) await (await call).text()
  await bob.chat()
  await bob.chat({ model: 'unknown' })
  await bob.chat({ model: 'odd"\\name' })
  const kind = { operation: 'chat', channel: 1, channel_type: 1, group: 'a\nb', status: 200, streamed: false } as const
  countCall({ ...kind, model: 'two\n"lines"' }, { total_ms: 2, upstream_ms: 1, failed_ms: 0 })
  expect(await promtool(['check', 'metrics'], await metricsText())).toEqual({ code: 0, out: '', err: '' })
})

const RULES = 'docs/deploy/alerts.yaml'

test('promtool reads the alert rules', async () => {
  const { code, err } = await promtool(['check', 'rules', RULES])
  expect({ code, err }).toEqual({ code: 0, err: '' })
})

test('promtool fires the alerts for what they are about', async () => {
  const { code, out, err } = await promtool(['test', 'rules', 'tests/support/prometheus/alerts-test.yaml'])
  expect({ code, err }).toEqual({ code: 0, err: '' })
  expect(out).toContain('SUCCESS')
})
