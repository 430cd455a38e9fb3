// @engine sqlite
/** Keys of Vertex AI: service accounts, one or many, and API keys of express mode. */
import { afterEach, beforeAll, beforeEach, expect, test } from 'bun:test'
import { generateKeyPairSync } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { invalidate } from '../../src/cluster/invalidation.ts'
import { LogType } from '../../src/contracts/log.ts'
import { seal } from '../../src/crypto/sealing.ts'
import { db } from '../../src/db/database.ts'
import { channels } from '../../src/domain/channels/table.ts'
import { recordFailure } from '../../src/domain/routing/health/breaker.ts'
import { resetStores } from '../../src/process/stores.ts'
import { logsOf } from '../support/app/logs.ts'
import { setOption } from '../support/app/options.ts'
import { type Client, client } from '../support/people/client.ts'
import { type Person, setUp } from '../support/people/person.ts'
import { channelNow } from '../support/upstream/channel.ts'
import { serviceAccount } from '../support/upstream/google-account.ts'
import { GoogleCloud } from '../support/upstream/google-cloud.ts'
import { deleteChannels } from '../support/upstream/served-channel.ts'
import { CLAUDE, GEMINI, priceVertexModels, vertexChannel } from '../support/upstream/vertex-channel.ts'

const cloud = new GoogleCloud()
let root: Person
let ann: Client

beforeAll(async () => {
  root = await setUp()
  await priceVertexModels()
  await setOption('LogErrorEnabled', true)
})

beforeEach(async () => {
  cloud.reset()
  resetStores('channel tokens', 'circuits')
  await deleteChannels()
  await setOption('RetryTimes', 0)
  await setOption('AutomaticDisableChannelEnabled', true)
  ann = await client()
})

afterEach(() => expect(cloud.violations).toEqual([]))

const ask = (fields: object = {}) => ann.chat({ model: GEMINI, ...fields })

const ellipticKey = () =>
  generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'pkcs8', format: 'pem' }) as string

const save = (key: string) =>
  root.post('/api/channel/', { name: 'v', type: 41, models: 'm', other: 'us-central1', key })
const maskedKeysOf = async (key: string): Promise<string[]> => {
  const { data, code } = await save(key)
  expect(code).toBeUndefined()
  return (await channelNow(data.id)).keys.map((state: { key: string }) => state.key)
}
const [one, two] = [serviceAccount('https://a'), serviceAccount('https://a', { private_key_id: 'second' })]

test('a channel without a region is in us-central1', async () => {
  const { data, success } = await root.post('/api/channel/', { name: 'v', type: 41, models: 'm', key: one })
  expect(success).toBe(true)
  expect((await channelNow(data.id)).other).toBe('')
})

test.each([
  ['no JSON', 'sk-something'],
  ['a document that breaks off', one.slice(0, -20)],
  ['a document of something else', '{"a":1}'],
  ['an account without a project', serviceAccount('https://a', { project_id: '' })],
  ['a list with a number', `[${one},1]`],
  ['an API key with a blank', 'AIza key'],
])('%s is refused as no service account', async (_, key) => {
  expect(await save(key)).toMatchObject({ code: 'channel.key_json', field: 'key' })
})

test.each([
  ['no PEM', 'secret'],
  ['a PEM that breaks off', JSON.parse(one).private_key.slice(0, 400)],
  ['of an elliptic curve', ellipticKey()],
])('a private key that is %s is refused', async (_, private_key) => {
  const key = serviceAccount('https://a', { private_key })
  expect(await save(key)).toMatchObject({ code: 'channel.key_private_key', field: 'key' })
})

test.each([
  ['one document', one, 1],
  ['a document over several lines', JSON.stringify(JSON.parse(one), null, 2), 1],
  ['a list of documents', `[${one},${two}]`, 2],
  ['documents one after the other', `${one}\n${two}`, 2],
  ['documents with commas between', `${one},\n${two}`, 2],
  ['a repeated document', `[${one},${JSON.stringify(JSON.parse(one), null, 2)}]`, 1],
  ['an API key of express mode', 'AQ.Ab8-key_1', 1],
  ['API keys of express mode', 'AIzaSyA-1_b,AQ.Ab8-key_1', 2],
  ['documents and API keys in a list', `[${one},"AQ.Ab8-key_1"]`, 2],
])('%s is saved', async (_, key, count) => {
  const keys = await maskedKeysOf(key)
  expect(keys).toHaveLength(count)
  expect(new Set(keys).size).toBe(count)
})

test('a key that was stored in another form fails the call clearly and sends nothing', async () => {
  const { id } = await vertexChannel(cloud)
  await db
    .update(channels)
    .set({ key_sealed: seal('{"a":1}') })
    .where(eq(channels.id, id))
  invalidate('channels')
  expect((await ask()).status).toBe(502)
  const [entry] = await logsOf(ann.person, LogType.error)
  expect(JSON.stringify(entry)).toContain('has not the form JSON')
  expect(cloud.token_requests + cloud.calls).toBe(0)
})

test('a document that was escaped twice earns a token', async () => {
  const private_key = JSON.parse(one).private_key.replaceAll('\n', '\\n')
  await vertexChannel(cloud, { key: serviceAccount(cloud.url, { private_key }) })
  expect((await ask()).status).toBe(200)
})

test('every document of a list serves calls with a token of its own', async () => {
  const key = `[${serviceAccount(cloud.url)},${serviceAccount(cloud.url, { project_id: 'other-project' })}]`
  await vertexChannel(cloud, { key })
  const paths = new Set<string>()
  cloud.answer = path => void paths.add(path.split('/')[3]!)
  for (let call = 0; call < 4; call++) expect((await ask()).status).toBe(200)
  expect([...paths].sort()).toEqual(['other-project', 'test-project'])
  expect(cloud.token_requests).toBe(2)
})

test('keys of express mode leave Claude to the service accounts of their channel', async () => {
  await vertexChannel(cloud, { key: `["AQ.Ab8-key_1",${serviceAccount(cloud.url)},"AQ.Ab8-key_2"]` })
  for (let call = 0; call < 3; call++) expect((await ask({ model: CLAUDE })).status).toBe(200)
  await deleteChannels()
  await vertexChannel(cloud, { key: 'AQ.Ab8-key_1' })
  expect((await ask({ model: CLAUDE })).status).toBe(503)
})

test('the trial of a channel at rest takes a key that has the operation', async () => {
  const { id } = await vertexChannel(cloud, { key: `["AQ.Ab8-key_1",${serviceAccount(cloud.url)}]` })
  for (let failures = 0; failures < 5; failures++) recordFailure({ channel_id: id }, { reason: 'unreachable' })
  expect((await ask({ model: CLAUDE })).status).toBe(200)
})
