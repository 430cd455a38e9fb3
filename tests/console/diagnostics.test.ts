// @engine both
/** The diagnostics page: what it shows, the audit and jobs by button, and a support bundle without secrets. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { describeNode } from '../../src/cluster/joining.ts'
import { jobsDone } from '../../src/cluster/leases.ts'
import { databaseTime } from '../../src/cluster/node.ts'
import { jobs as leases, nodes } from '../../src/cluster/table.ts'
import { Role } from '../../src/contracts/account.ts'
import { DIAGNOSTICS_PATH } from '../../src/contracts/diagnostics.ts'
import { unseal } from '../../src/crypto/sealing.ts'
import { db } from '../../src/db/database.ts'
import { dialect } from '../../src/db/dialect.ts'
import { secretKeys } from '../../src/domain/options/index.ts'
import { sealedColumns } from '../../src/domain/secret-key/sealed-columns.ts'
import { users } from '../../src/domain/users/table.ts'
import { jobs } from '../../src/jobs/jobs.ts'
import '../../src/jobs/schedule.ts'
import { log } from '../../src/process/log.ts'
import { readingsOf } from '../../src/process/metrics/registry.ts'
import { VERSION } from '../../src/pure/version.ts'
import { setOption } from '../support/app/options.ts'
import { client } from '../support/people/client.ts'
import { type Person, setUp, visitor } from '../support/people/person.ts'
import { until } from '../support/until.ts'
import { makeChannel } from '../support/upstream/channel.ts'
import { gate } from '../support/upstream/chat-scripts.ts'
import { served } from '../support/upstream/served-channel.ts'

let root: Person

beforeAll(async () => {
  root = await setUp()
})
afterAll(jobsDone)

const page = async (language: 'en' | 'zh' = 'en') => (await root.page(DIAGNOSTICS_PATH, { language })).text()

test('diagnostics shows this node, the database, every job and the last warnings', async () => {
  log.warn('the moon is late', { minutes: 7, name: '<b>Luna</b>' })
  const html = await page()
  for (const text of [VERSION, 'this one', dialect === 'sqlite' ? 'SQLite' : 'PostgreSQL', 'Oldest hold'])
    expect(html).toContain(text)
  for (const { name } of jobs) expect(html).toContain(`>${name}<`)
  expect(html).toContain('the moon is late minutes=7 name=&lt;b&gt;Luna&lt;/b&gt;')
  expect(await page('zh')).toContain('事件循环延迟')
})

if (dialect === 'postgres')
  test('a node says once a minute what it is, and the others show it', async () => {
    await describeNode()
    const [own] = await db.select().from(nodes)
    await db.insert(nodes).values({ ...own!, id: 'elsewhere', seen_time: databaseTime as never, version: '9.8.7' })
    const html = await page()
    expect(html).toContain('9.8.7')
    expect(JSON.parse(own!.state).memory_bytes).toBeGreaterThan(1_000_000)
    await db.delete(nodes).where(eq(nodes.id, 'elsewhere'))
  })

test('run now starts a job under its lease, and refuses what each node runs for itself', async () => {
  const run = (name: string) => root.form(`${DIAGNOSTICS_PATH}/jobs/${name}/run`, {})
  await db.delete(leases)
  expect((await run('expire-orders')).status).toBe(303)
  await jobsDone()
  const rows = await db.select().from(leases)
  expect(rows.map(({ name }) => name)).toEqual(['expire-orders'])
  for (const name of ['flush-buffers', 'no-such-job']) expect((await run(name)).status).toBe(404)
})

test('the audit by button shows its result and counts in tollgate_audit_differences', async () => {
  const ann = await visitor(Role.user, 1000)
  const audit = async (shown: string) => {
    expect((await root.form(`${DIAGNOSTICS_PATH}/audit`, {})).status).toBe(303)
    await until(async () => (await page()).includes(shown))
    return (await readingsOf('tollgate_audit_differences')).get('')
  }
  expect(await audit('The audit is clean')).toBe(0)
  const isAnn = eq(users.username, ann.username)
  const [{ quota = 0 } = {}] = await db.select({ quota: users.quota }).from(users).where(isAnn)
  await db
    .update(users)
    .set({ quota: quota + 1 })
    .where(isAnn)
  expect(await audit(ann.username)).toBe(1)
  await db.update(users).set({ quota }).where(isAnn)
  expect(await audit('The audit is clean')).toBe(0)
})

/** Shorter texts are no secrets, such as `{}`. */
const MARK_MIN = 8

/** Some columns are unsealed as they are read, others where they are used. */
function opened(text: string): string {
  try {
    return unseal(text)
  } catch {
    return text
  }
}

test('diagnostics names the users whose calls wait in the queue, with what they wait for, and the bundle does not', async () => {
  const { script, open } = gate()
  await served(script, { setting: JSON.stringify({ concurrency: 1 }) })
  const [ann, bea] = [await client(), await client()]
  const names = [ann.person.username, bea.person.username] as const
  expect(await page()).toContain('No call waits for a channel.')
  const running = await ann.stream()
  const waiting = [bea.chat(), bea.chat(), ann.chat()]
  const rows = async () => [...(await page()).matchAll(/<tr id=.*?<\/tr>/gs)].map(([row]) => row)
  const rowOf = async (name: string) => (await rows()).find(row => row.includes(`>${name}<`))
  await until(async () => (await rowOf(names[0])) && (await rowOf(names[1]))?.includes('>2<'), 'three waiting calls')
  expect(await rowOf(names[1])).toContain('gpt-4o')
  expect(await rowOf(names[1])).toContain(`/admin/users?edit=${bea.person.id}`)
  expect(await page('zh')).toContain('满载渠道的队列')
  const bundle = await (await root.page(`${DIAGNOSTICS_PATH}/bundle.json`)).text()
  expect(JSON.parse(bundle).diagnostics).toMatchObject({ queued: 3 })
  for (const name of names) expect(bundle).not.toContain(name)
  open()
  await running.text()
  await Promise.all(waiting)
  expect(await page()).toContain('No call waits for a channel.')
})

test('the support bundle has no secret option and no value of a sealed column', async () => {
  await makeChannel(root, { key: 'sk-sealed-channel-key', name: 'sealed' })
  const ann = await client()
  const marks: string[] = []
  for (const key of secretKeys) {
    const mark = `secret-of-${key}`
    await setOption(key, mark)
    marks.push(mark)
  }
  for (const { table, field, where } of sealedColumns) {
    const rows: Record<string, unknown>[] = await db
      .select()
      .from(table as never)
      .where(where)
    marks.push(...rows.map(row => opened(String(row[field] ?? ''))).filter(text => text.length >= MARK_MIN))
  }
  for (const known of ['sk-sealed-channel-key', ann.key]) expect(marks.some(mark => mark.includes(known))).toBe(true)
  const response = await root.page(`${DIAGNOSTICS_PATH}/bundle.json`)
  expect(response.headers.get('content-disposition')).toStartWith('attachment; filename="tollgate-support-')
  const text = await response.text()
  for (const mark of marks) expect(text).not.toContain(mark)
  const { system, diagnostics, options, metrics } = JSON.parse(text)
  expect([system.version, diagnostics.nodes.length > 0, options.RetryTimes !== undefined]).toEqual([
    VERSION,
    true,
    true,
  ])
  expect(metrics.some((line: string) => line.startsWith('tollgate_loop_lag_seconds'))).toBe(true)
  for (const key of secretKeys) expect(options[key] ?? '').toBe('')
})
