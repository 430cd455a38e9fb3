/** Limits of channels for operators: drawer, report, route finder, page of a call, diagnostics. */
import { afterAll, beforeEach, expect, test } from 'bun:test'
import { readMetrics } from '../support/app/metrics.ts'
import { setOption } from '../support/app/options.ts'
import { filledDrawer, submitDrawer } from '../support/people/channel-drawer.ts'
import { client, MODEL } from '../support/people/client.ts'
import { setUp } from '../support/people/person.ts'
import { until } from '../support/until.ts'
import { storedChannel } from '../support/upstream/channel.ts'
import { chat, gate } from '../support/upstream/chat-scripts.ts'
import { deleteChannels, served } from '../support/upstream/served-channel.ts'

const root = await setUp()
beforeEach(deleteChannels)
afterAll(() => setOption('QueueTimeout', 10))

const typed = { name: 'limited', type: '1', key: 'sk-typed-0123456789', models: MODEL, priority: '0', weight: '0' }
const limits = {
  setting_rpm: '60',
  setting_tpm: '90000',
  setting_concurrency: '5',
  setting_key_rpm: '6',
  setting_key_tpm: '9000',
  setting_key_concurrency: '1',
  setting_model_limits: 'gpt-4o rpm=3 concurrency=2\no3 tpm=500',
}
const textOf = async (path: string, language: 'en' | 'zh' = 'en') => {
  const html = await (await root.page(path, { language })).text()
  return html
    .replace(/<!--.*?-->/g, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')
}

test('the drawer of a channel stores its limits and shows them again', async () => {
  expect((await submitDrawer(root, { ...typed, ...limits })).status).toBe(303)
  const { data } = await root.get('/api/channel/search?keyword=limited')
  const { setting } = await storedChannel(data[0].id)
  expect(JSON.parse(setting)).toEqual({
    ...{ rpm: 60, tpm: 90_000, concurrency: 5, key_rpm: 6, key_tpm: 9000, key_concurrency: 1 },
    model_limits: { 'gpt-4o': { rpm: 3, concurrency: 2 }, o3: { tpm: 500 } },
  })
  expect(await filledDrawer(root, data[0].id)).toMatchObject(limits)
})

test.each([
  ['setting_rpm', '-1'],
  ['setting_tpm', 'many'],
  ['setting_concurrency', '1.5'],
  ['setting_key_rpm', '1000000001'],
  ['setting_model_limits', 'gpt-4o'],
  ['setting_model_limits', 'gpt-4o rpm=x'],
  ['setting_model_limits', 'gpt-4o calls=3'],
])('the drawer refuses %s = %s at its field', async (field, value) => {
  const { status, errors } = await submitDrawer(root, { ...typed, [field]: value })
  expect(status).toBe(422)
  expect(errors).toEqual([expect.stringContaining('Enter whole numbers from 0 to 1,000,000,000')])
})

test.each([
  { rpm: -1 },
  { tpm: '60' },
  { concurrency: 0.5 },
  { key_tpm: 1e300 },
  { model_limits: [] },
  { model_limits: { 'gpt-4o': { rpm: -1 } } },
  { model_limits: { 'gpt-4o': { calls: 1 } } },
])('the API refuses the setting %j', async setting => {
  const channel = { name: 'a', models: MODEL, type: 1, key: 'sk-a', setting: JSON.stringify(setting) }
  expect(await root.post('/api/channel/', channel)).toMatchObject({ status: 400, field: 'setting' })
})

test('report, route finder and page of a call name the limit that a channel was at', async () => {
  const full = await served(chat(), { setting: '{"rpm":1,"key_concurrency":4}', priority: 5 })
  const next = await served(chat())
  const ann = await client()
  for (let turn = 0; turn < 2; turn++) expect((await ann.chat()).status).toBe(200)
  expect([full.calls(), next.calls()]).toEqual([1, 1])
  expect(await textOf(`/admin/channels/${full.id}/report`)).toContain(
    'Requests per minute All calls of the channel 1 of 1',
  )
  expect(await textOf(`/admin/channels/${full.id}/report`)).toContain('0 of 4')
  expect(await textOf(`/admin/routes?model=${MODEL}`)).toMatch(
    /is at its limit of 1 requests per minute for another 6\d s/,
  )
  expect(await textOf(`/admin/routes?model=${MODEL}`, 'zh')).toContain('已达到每分钟 1 个请求的限额')
  const { data } = await root.get('/api/log/?p=0')
  const request_id = JSON.parse(JSON.stringify(data.items ?? data))[0].request_id
  expect(await textOf(`/admin/calls/${request_id}`)).toContain(`Channel #${full.id} was at its requests per minute`)
})

test('diagnostics and metrics count the calls that wait', async () => {
  const { script, open } = gate()
  await served(script, { setting: '{"concurrency":1}' })
  const ann = await client()
  const running = await ann.stream()
  const waiting = ann.chat()
  await until(async () => (await readMetrics()).get('tollgate_inflight{kind="queued"}') === 1, 'a call that waits')
  expect(await textOf('/admin/diagnostics')).toContain('Waiting calls 1')
  open()
  await running.text()
  await waiting
  expect((await readMetrics()).get('tollgate_inflight{kind="queued"}')).toBe(0)
})
