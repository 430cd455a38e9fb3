// @engine sqlite
/** What a million names cost the metrics. */
import { expect, test } from 'bun:test'
import { usageOf } from '../../../src/billing/usage.ts'
import { countCall } from '../../../src/relay/watching/call-metrics.ts'
import { readMetrics, valuesOf } from '../../support/app/metrics.ts'

const NAMES = 1_000_000
const kind = { operation: 'chat', channel: 1, channel_type: 1, group: 'default', status: 200, streamed: false } as const
const times = { total_ms: 2, upstream_ms: 1, failed_ms: 0 }
const bill = { usage: usageOf({ input: 1 }), quota: 1 }

test('a million model names with quotes and line ends have at most 201 values of a label, and each call counts', async () => {
  for (let at = 0; at < NAMES; at++) countCall({ ...kind, model: `"model"\n\\${at}` }, times, bill)
  const series = await readMetrics()
  const values = valuesOf(series, 'model')
  values.delete('')
  expect(values.size).toBe(201)
  expect(values).toContain('\\"model\\"\\n\\\\0')
  const counted = [...series].filter(([key]) => key.startsWith('tollgate_requests_total'))
  expect(counted).toHaveLength(201)
  expect(counted.reduce((sum, [, value]) => sum + value, 0)).toBe(NAMES)
  expect(series.get('tollgate_tokens_total{model="other",kind="input"}')).toBe(NAMES - 200)
}, 60_000)
