// @engine both
/** The metrics that dashboards and alerts are written for: their names, types and labels in a scrape after calls. */
import { expect, test } from 'bun:test'
import { dialect } from '../../../src/db/dialect.ts'
import { startAudit } from '../../../src/domain/system/index.ts'
import { tick } from '../../../src/jobs/schedule.ts'
import { metricsText, parseMetrics } from '../../support/app/metrics.ts'
import { client } from '../../support/people/client.ts'
import { until } from '../../support/until.ts'
import { chat } from '../../support/upstream/chat-scripts.ts'
import { served } from '../../support/upstream/served-channel.ts'

type Metric = [name: string, type: 'counter' | 'gauge' | 'histogram', labels: string, absent?: boolean]

const isPostgres = dialect === 'postgres'
const genAi = 'gen_ai_operation_name gen_ai_provider_name gen_ai_request_model'

/** `absent`: without the engine, Redis, backup, task or refusal that it is about. */
const metrics: Metric[] = [
  ['tollgate_build_info', 'gauge', 'version bun'],
  ['tollgate_requests_total', 'counter', 'operation provider channel model status streamed'],
  ['tollgate_request_seconds', 'histogram', 'operation'],
  ['tollgate_first_token_seconds', 'histogram', 'provider'],
  ['tollgate_added_seconds', 'histogram', 'operation'],
  ['tollgate_upstream_seconds', 'histogram', 'channel'],
  ['tollgate_inflight', 'gauge', 'kind'],
  ['tollgate_tokens_total', 'counter', 'model kind'],
  ['tollgate_quota_total', 'counter', 'group kind'],
  ['tollgate_attempts_total', 'counter', 'channel outcome'],
  ['tollgate_channel_state', 'gauge', 'channel'],
  ['tollgate_breaker_state', 'gauge', 'channel'],
  ['tollgate_limited_total', 'counter', 'limit'],
  ['tollgate_reservations', 'gauge', 'kind'],
  ['tollgate_settle_seconds', 'histogram', ''],
  ['tollgate_settle_batch', 'histogram', ''],
  ['tollgate_settle_queue', 'gauge', ''],
  ['tollgate_db_seconds', 'histogram', 'kind'],
  ['tollgate_db_pool', 'gauge', 'state', !isPostgres],
  ['tollgate_redis_up', 'gauge', '', true],
  ['tollgate_redis_seconds', 'histogram', 'script', true],
  ['tollgate_changes_lag_seconds', 'gauge', '', !isPostgres],
  ['tollgate_job_last_success_timestamp', 'gauge', 'job'],
  ['tollgate_tasks', 'gauge', 'platform state', true],
  ['tollgate_nodes', 'gauge', ''],
  ['tollgate_loop_lag_seconds', 'gauge', ''],
  ['tollgate_audit_differences', 'gauge', ''],
  ['tollgate_backup_age_seconds', 'gauge', '', true],
  ['tollgate_process_cpu_seconds_total', 'counter', ''],
  ['tollgate_process_open_fds', 'gauge', ''],
  ['tollgate_process_resident_memory_bytes', 'gauge', ''],
  ['tollgate_process_start_time_seconds', 'gauge', ''],
  ['gen_ai_client_operation_duration_seconds', 'histogram', `${genAi} error_type`],
  ['gen_ai_client_token_usage', 'histogram', `${genAi} gen_ai_token_type`],
]

/** Names of labels of each family in a scrape, without those of buckets. */
function familiesOf(text: string) {
  const types = new Map(Array.from(text.matchAll(/^# TYPE (\S+) (\S+)$/gm), ([, name, type]) => [name!, type!]))
  const labels = new Map<string, Set<string>>()
  for (const key of parseMetrics(text).keys()) {
    const [sample = '', rest = ''] = key.split(/\{(.*)/s)
    const family = types.has(sample) ? sample : sample.replace(/_(bucket|sum|count)$/, '')
    const names = Array.from(rest.matchAll(/(?:^|,)(\w+)="(?:[^"\\]|\\.)*"/g), ([, name]) => name!)
    const own = names.filter(name => name !== 'le').join(' ')
    labels.set(family, (labels.get(family) ?? new Set<string>()).add(own))
  }
  return { types, labels }
}

test('a scrape has each metric of the list with its type and labels, and no other', async () => {
  await served(chat({ usage: { prompt_tokens: 10, completion_tokens: 4 } }))
  const limited = await client({ rate_limit_enabled: true, rate_limit_count: 2, rate_limit_success: 0 })
  await (await limited.chat()).text()
  await (await limited.stream()).text()
  expect((await limited.chat()).status).toBe(429)
  startAudit()
  await tick()
  const { types, labels } = await until(async () => {
    const families = familiesOf(await metricsText())
    const late = ['tollgate_job_last_success_timestamp', 'tollgate_audit_differences']
    return late.every(name => families.labels.has(name)) ? families : undefined
  })
  const found = [...labels].filter(([name]) => /^(tollgate|gen_ai)_/.test(name))
  const known = new Map(metrics.map(([name, type, own]) => [name, [type, [own]]]))
  for (const [name, own] of found) expect([name, [types.get(name), [...own]]]).toEqual([name, known.get(name)] as never)
  const missing = metrics.filter(([name, , , absent]) => !absent && !labels.has(name))
  expect(missing).toEqual([])
})
