/** A channel is tested before it is saved, by the button of its drawer. */
import { afterAll, describe, expect, test } from 'bun:test'
import { Role } from '../../src/contracts/account.ts'
import { ChannelStatus } from '../../src/contracts/channel.ts'
import { setOptionAsSystem } from '../../src/domain/options/service.ts'
import { disableChannel } from '../../src/domain/routing/health/auto-disable.ts'
import { channelById } from '../../src/domain/routing/routing-table.ts'
import { type DrawerFields, errorsIn, filledDrawer, submitDrawer } from '../support/people/channel-drawer.ts'
import { setUp, visitor } from '../support/people/person.ts'
import { makeChannel, storedChannel } from '../support/upstream/channel.ts'
import { chat, refuses } from '../support/upstream/chat-scripts.ts'
import { fakeUpstream } from '../support/upstream/openai.ts'

const root = await setUp()
const admin = await visitor(Role.admin)
const upstream = await fakeUpstream()
upstream.scripts('gpt-4o', chat())
upstream.scripts('house-blend', chat())
upstream.scripts('bad', refuses(503))
afterAll(() => upstream.stop())

const PATH = '/admin/channels'
const typed = { name: 'form', type: '1', key: 'sk-typed-0123456789', models: 'gpt-4o', priority: '0', weight: '0' }

const submitted = (fields: DrawerFields, path?: string) => submitDrawer(root, fields, path)
const filled = (id: number) => filledDrawer(root, id)

describe('the test before saving', () => {
  const test_it = { action: 'test' }

  test('typed values are tested, and nothing is stored', async () => {
    const before = (await root.get('/api/channel/?page_size=100')).total
    const { status, html } = await submitted({ ...typed, ...test_it, key: 'sk-upstream', base_url: upstream.url })
    expect([
      status,
      /gpt-4o responded in [\d.]+ s/.test(html),
      html.includes('has no price: calls are refused'),
    ]).toEqual([200, true, false])
    expect((await root.get('/api/channel/?page_size=100')).total).toBe(before)
    expect(upstream.journal.at(-1)!.key).toBe('sk-upstream')
  })

  test('a model without a price answers, with a warning', async () => {
    const fields = { ...typed, ...test_it, key: 'sk-upstream', base_url: upstream.url, models: 'house-blend' }
    const { html } = await submitted(fields)
    expect(html.includes('house-blend responds, but has no price: calls are refused.')).toBe(true)
  })

  test('a failure names host and cause', async () => {
    const refused = await submitted({ ...typed, ...test_it, key: 'sk-upstream', base_url: upstream.url, models: 'bad' })
    expect(refused.html).toMatch(
      new RegExp(`${new URL(upstream.url).host}, bad: The upstream responded with status 503`),
    )
    const closed = await submitted({ ...typed, ...test_it, base_url: 'http://127.0.0.1:1' })
    expect(closed.html).toMatch(/127\.0\.0\.1:1, gpt-4o: The upstream cannot be reached \(\w+\)/)
  })

  test('a channel that disabled itself is enabled with its new key once that key has passed', async () => {
    const { id } = await makeChannel(root, { key: 'sk-spent', base_url: upstream.url, models: 'gpt-4o' })
    const path = `${PATH}/${id}`
    const replaced = { ...(await filled(id)), ...test_it, key: 'sk-upstream', 'group[]': 'default' }
    const isOffered = async (fields: DrawerFields) =>
      (await submitted(fields, path)).html.includes('>Save and enable channel</button>')
    expect(await isOffered(replaced)).toBe(false)

    const count = async () =>
      (await (await root.page('/app/tokens')).text()).match(/class="stopped" title="([^"]+)"/)?.[1]
    expect(await count()).toBeUndefined()
    await setOptionAsSystem('AutomaticDisableChannelEnabled', 'true')
    await disableChannel((await channelById(id))!, '401', 'test')
    expect(await count()).toBe('1 channel disabled itself')
    expect(await isOffered({ ...replaced, models: 'bad' })).toBe(false)
    expect(await isOffered(replaced)).toBe(true)
    expect((await submitted({ ...replaced, action: 'enable' }, path)).status).toBe(303)
    expect(await channelById(id)).toMatchObject({ keys: ['sk-upstream'], status: ChannelStatus.enabled })
    expect(await count()).toBeUndefined()
  })

  test('a stored key is tested at its own host only', async () => {
    const { id } = await makeChannel(root, { key: 'sk-upstream', base_url: upstream.url, models: 'gpt-4o' })
    const fields = { ...(await filled(id)), ...test_it, 'group[]': 'default' }
    expect((await submitted(fields, `${PATH}/${id}`)).html).toMatch(/gpt-4o responded in/)
    const before = upstream.journal.length
    const elsewhere = { ...fields, base_url: upstream.url.replace('127.0.0.1', 'localhost') }
    const { status, errors } = await submitted(elsewhere, `${PATH}/${id}`)
    expect([status, errors.length, upstream.journal.length]).toEqual([422, 1, before])
    expect((await submitted({ ...elsewhere, key: 'sk-upstream' }, `${PATH}/${id}`)).html).toMatch(/gpt-4o responded in/)
    expect((await storedChannel(id)).base_url).toBe(upstream.url)
  })

  test('an administrator tests no private address', async () => {
    const before = upstream.journal.length
    const response = await admin.form(`${PATH}?new`, { ...typed, ...test_it, base_url: upstream.url })
    expect([response.status, errorsIn(await response.text()).length, upstream.journal.length]).toEqual([422, 1, before])
  })

  test('wrong values are refused at their fields before any request', async () => {
    const { status, errors } = await submitted({ ...typed, ...test_it, key: '', base_url: upstream.url })
    expect([status, errors]).toEqual([422, ['Enter a key']])
  })
})

describe('models without a price', () => {
  test('the API names them, under the prefix that clients write', async () => {
    const of = (prefix: string) => admin.post('/api/channel/unpriced', { models: 'gpt-4o,house-blend', prefix })
    expect((await of('')).data).toEqual(['house-blend'])
    expect((await of('ours/')).data).toEqual(['gpt-4o', 'house-blend'])
    expect(await admin.post('/api/channel/unpriced', { models: ['gpt-4o'] })).toMatchObject({
      status: 400,
      field: 'models',
    })
  })

  test('presets of the image and music types are known', async () => {
    const { data } = await root.get('/api/models')
    expect(data[2]).toContain('mj_imagine')
    expect(data[5]).toEqual(expect.arrayContaining(['swap_face', 'mj_pan']))
    expect(data[36]).toEqual(['suno_music', 'suno_lyrics'])
  })
})
