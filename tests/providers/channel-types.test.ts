// @engine postgres
/** A channel of every type serves its recorded call on PostgreSQL too; SQLite plays all recorded calls. */
import { expect, test } from 'bun:test'
import { logsOf } from '../support/app/logs.ts'
import { setOption } from '../support/app/options.ts'
import { loadTokenTables } from '../support/app/token-tables.ts'
import { client } from '../support/people/client.ts'
import { setUp } from '../support/people/person.ts'
import { makeChannel } from '../support/upstream/channel.ts'
import { modelOf, recordedProviders } from '../support/upstream/fixtures.ts'
import { withUpstream } from '../support/upstream/strict-provider.ts'

const root = await setUp()
await setOption('ServerAddress', 'https://gate.example')
const recorded = (await recordedProviders()).map(({ server, fixtures, ...one }) => ({
  ...one,
  server,
  fixture: Object.fromEntries(fixtures)[server.probe ?? 'chat']!,
}))
await setOption(
  'ModelRatio',
  JSON.stringify(Object.fromEntries(recorded.map(({ fixture }) => [modelOf(fixture.asks), 1]))),
)
await loadTokenTables('gpt-4o')

test.each(recorded)('a channel of $name serves a call', async ({ server, upstream, fixture }) => {
  const { asks, channel, answers, beside, told } = fixture
  const fields = withUpstream({ ...server.channel, ...channel }, upstream.url)
  const base_url = upstream.url + (server.base ?? '')
  const made = await makeChannel(root, { models: modelOf(asks), base_url, ...fields })
  const ann = await client()
  upstream.expects(fields, answers, {}, beside)
  const response = await ann.postTo(asks.path, asks.body!)
  expect([response.status, upstream.violations()]).toEqual([told.status, []])
  await response.text()
  expect((await logsOf(ann.person))[0]).toMatchObject({ channel: made.id, model_name: modelOf(asks) })
  await root.delete(`/api/channel/${made.id}`)
})
