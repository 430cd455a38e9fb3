// @engine postgres
// @waits
/** From one release to the next under load: the newer one migrates, and the nodes are replaced one after the other. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { cpSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { SCHEMA } from '../../src/db/migrate.ts'
import { VERSION } from '../../src/pure/version.ts'
import { type Installation, newInstallation, setUpAt, signInAt, startupErrorOf } from '../support/app/installation.ts'
import { newFolder, run } from '../support/app/server.ts'
import { checkRows } from '../support/cluster/invariants.ts'
import { bringPackages } from '../support/debian-packages.ts'
import { startBalancer } from '../support/deploy/balancers.ts'
import { keepCalling, type RolledNode, startNode } from '../support/deploy/rolled-nodes.ts'
import { newCertificate } from '../support/mail/certificate.ts'
import { sendWell } from '../support/people/member.ts'
import { until } from '../support/until.ts'
import { chat } from '../support/upstream/chat-scripts.ts'
import { fakeUpstream } from '../support/upstream/openai.ts'

const MODEL = 'gpt-4o-mini'
const CALLERS = 16
const BRING_MS = 300_000
const [NEXT_VERSION, EXPANDING, CONTRACTING] = ['99.0.0', '9000_expands', '9001_contracts']

/** A table, columns that rows of every call get, and an index on what every call writes. */
const expanding = `CREATE TABLE "novelties" ("id" bigint PRIMARY KEY NOT NULL);
--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "novelty" text DEFAULT '' NOT NULL;
--> statement-breakpoint
ALTER TABLE "tokens" ADD COLUMN "novelty" bigint DEFAULT 7 NOT NULL;
--> statement-breakpoint
ALTER TABLE "logs" ADD COLUMN "novelty" text;
--> statement-breakpoint
ALTER TABLE "reservations" ADD COLUMN "novelty" bigint DEFAULT 0 NOT NULL;
--> statement-breakpoint
CREATE INDEX "logs_novelty" ON "logs" ("novelty");`

/** The sources of a later release. @returns the command that runs it */
function laterRelease(migrations: Record<string, string>): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'release-'))
  for (const name of ['src', 'views', 'client', 'drizzle', 'public', 'tsconfig.json'])
    cpSync(name, join(folder, name), { recursive: true })
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'))
  for (const [name, text] of Object.entries(migrations))
    writeFileSync(join(folder, 'drizzle/postgres', `${name}.sql`), text)
  const manifest = require(resolve('package.json')) as object
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ ...manifest, version: NEXT_VERSION }))
  return [process.execPath, join(folder, 'src/main.ts')]
}

const next = laterRelease({ [EXPANDING]: expanding })
const afterNext = laterRelease({
  [EXPANDING]: expanding,
  [CONTRACTING]: `-- compatible since ${EXPANDING}\nALTER TABLE "logs" DROP COLUMN "novelty";`,
})

const upstream = await fakeUpstream()
let place: Installation
let balancer: Awaited<ReturnType<typeof startBalancer>>
let call: (index: number) => Promise<string>
const nodes: RolledNode[] = []

beforeAll(async () => {
  await bringPackages(['balancers'])
  place = { ...(await newInstallation()), folder: newFolder() }
  place.env = { ...place.env, SECRET_KEY: 'the key of one installation' }
  const env = { TRUSTED_PROXIES: '127.0.0.1/32', DRAIN_SECONDS: '5', LOG_LEVEL: 'warn' }
  for (let count = 0; count < 2; count++) nodes.push(await startNode(place, env))
  const { url } = nodes[0]!.server
  await setUpAt(nodes[0]!.server)
  const root = await signInAt(nodes[0]!.server)
  const channel = { name: 'mock', type: 1, key: 'sk-upstream', base_url: upstream.url, models: MODEL }
  await sendWell(url, root, '/api/channel/', { body: channel })
  const { data } = await sendWell(url, root, '/api/token/', { body: { name: 'key', unlimited_quota: true } })
  const certificate = await newCertificate()
  const ports = nodes.map(({ port }) => port)
  balancer = await startBalancer('haproxy', ports, certificate)
  upstream.scripts(MODEL, chat({ pause_ms: 20 }))
  call = async index => {
    const stream = index % 2 === 0
    const response = await fetch(`${balancer.url}/v1/chat/completions`, {
      ...{ method: 'POST', headers: { authorization: `Bearer sk-${data.key}` }, tls: { ca: certificate.ca } },
      body: JSON.stringify({ model: MODEL, stream, messages: [{ role: 'user', content: 'Hi' }], max_tokens: 50 }),
    })
    const text = await response.text()
    await Bun.sleep(20)
    if (response.status !== 200) return `${response.status} ${text.slice(0, 200)}`
    return text.endsWith(stream ? 'data: [DONE]\n\n' : '}') ? 'whole' : `cut: ${text.slice(-100)}`
  }
}, BRING_MS)

afterAll(async () => {
  upstream.stop()
  await balancer?.stop()
})

const nodesNow = () => place.read('select version, schema from nodes order by version, schema')

test('two releases run side by side under load without a failed call, and the first one comes back', async () => {
  const calls = keepCalling(CALLERS, call)
  const ofNext = { ...place, command: next }
  await Bun.sleep(2000)

  const check = await run(['migrate', '--check'], ofNext)
  expect([check.code, check.out]).toEqual([1, `to run: ${EXPANDING}\nnodes that know 0015_changes go on meanwhile\n`])
  expect(await run(['migrate'], ofNext)).toMatchObject({ code: 0, out: `migrated: ${EXPANDING}\n` })
  await Bun.sleep(2000)

  // A node of the old release that restarts meanwhile goes on.
  const [first, second] = nodes as [RolledNode, RolledNode]
  expect(await first.restart()).toBe(0)
  expect(first.server.output()).toContain(`has=${EXPANDING} knows=${SCHEMA}`)
  await Bun.sleep(2000)
  expect(await nodesNow()).toEqual([1, 2].map(() => ({ version: VERSION, schema: SCHEMA })))

  for (const node of nodes) {
    expect(await node.restart(next)).toBe(0)
    await Bun.sleep(4000)
  }
  expect(await nodesNow()).toEqual([1, 2].map(() => ({ version: NEXT_VERSION, schema: EXPANDING })))
  // Back to the release before, of one node.
  expect(await second.restart()).toBe(0)
  await Bun.sleep(2000)

  const outcomes = await calls.stop()
  expect(Object.keys(outcomes)).toEqual(['whole'])
  expect(outcomes.whole).toBeGreaterThan(300)
  await checkRows(place)
  expect(await run(['audit', '--bills'], ofNext)).toMatchObject({ code: 0 })
})

test('a release that takes something away waits until the nodes of the release before the last have gone', async () => {
  const ofLast = { ...place, command: afterNext }
  const inTheWay = `a node of Tollgate ${VERSION} (${SCHEMA})`
  const check = await run(['migrate', '--check'], ofLast)
  expect([check.code, check.out]).toEqual([1, expect.stringContaining(`in the way: ${inTheWay}`)])
  const refused = await run(['migrate'], ofLast)
  expect([refused.code, refused.err]).toEqual([1, expect.stringContaining(`${inTheWay} is running`)])

  const [first, second] = nodes as [RolledNode, RolledNode]
  await second.restart(next)
  expect(await run(['migrate'], ofLast)).toMatchObject({ code: 0, out: `migrated: ${CONTRACTING}\n` })
  await until(async () => (await call(0)) === 'whole')
  // The release before the last can no longer start.
  await first.server.stop()
  expect(await startupErrorOf(['serve'], place)).toBe(
    `tollgate: the database is newer than this program (it has ${CONTRACTING}); use a newer Tollgate`,
  )
})
