// @engine both
import { describe, expect, test } from 'bun:test'
import { Role } from '../../src/contracts/account.ts'
import { ChannelStatus } from '../../src/contracts/channel.ts'
import { countServed, flushOutcomes, healthOf } from '../../src/domain/routing/health/hourly-outcomes.ts'
import { channelById, servingChannels } from '../../src/domain/routing/routing-table.ts'
import { setUp, visitor } from '../support/people/person.ts'
import { KEY, makeChannel, storedChannel } from '../support/upstream/channel.ts'
import { serviceAccount } from '../support/upstream/google-account.ts'

const admin = await visitor(Role.admin)

test('a channel is saved as it was read, with all that only the server writes', async () => {
  const { data } = await admin.get(`/api/channel/${(await makeChannel(admin)).id}`)
  expect(await admin.put('/api/channel/', data)).toMatchObject({ success: true })
})

describe('making one', () => {
  test('a new channel has defaults for absent fields', async () => {
    const posted = { name: ' main ', key: KEY, models: 'gpt-4o, gpt-4o-mini,gpt-4o' }
    const { data } = await admin.post('/api/channel/', posted)
    expect(data).toMatchObject({
      name: 'main',
      type: 1,
      status: ChannelStatus.enabled,
      models: 'gpt-4o,gpt-4o-mini',
      group: 'default',
      auto_ban: 1,
      priority: 0,
      weight: 0,
      used_quota: 0,
      response_time: 0,
    })
  })

  test('a new channel takes groups as a list, under either name', async () => {
    expect((await makeChannel(admin, { group: ['default', 'vip'] })).group).toBe('default,vip')
    expect((await makeChannel(admin, { groups: ['default', 'vip'] })).group).toBe('default,vip')
    expect((await makeChannel(admin, { groups: ['vip'], group: 'default' })).group).toBe('default')
  })

  test('a new channel requires name and key, in both languages', async () => {
    const refused = async (body: object, language: 'en' | 'zh' = 'en') => {
      const { status, field, message } = await admin.post('/api/channel/', { models: 'm', ...body }, { language })
      return [status, field, message]
    }
    for (const body of [{}, { key: 'k' }, { name: ' ', key: 'k' }])
      expect(await refused(body)).toEqual([400, 'name', 'Enter a name'])
    for (const body of [{ name: 'a' }, { name: 'a', key: ' ,\n' }])
      expect(await refused(body)).toEqual([400, 'key', 'Enter a key'])
    expect(await refused({}, 'zh')).toEqual([400, 'name', '请填写名称'])
  })

  test('a new channel requires models', async () => {
    const answer = await admin.post('/api/channel/', { name: 'a', key: 'k', models: ' , ' })
    expect(answer).toMatchObject({ status: 400, field: 'models', code: 'channel.models_required' })
  })

  test('a channel type without a default base URL requires one; trailing slashes are cut', async () => {
    const body = { name: 'a', key: 'k', models: 'm', type: 8 }
    expect(await admin.post('/api/channel/', body)).toMatchObject({ status: 400, field: 'base_url' })
    const { base_url } = await makeChannel(admin, { type: 8, base_url: 'http://9.9.9.9:9//' })
    expect(base_url).toBe('http://9.9.9.9:9')
  })

  test('read-only fields of a channel are ignored', async () => {
    const { id } = await makeChannel(admin, {
      used_quota: 5,
      balance: 9,
      response_time: 7,
      id: 4711,
      created_time: 1,
    })
    expect(id).not.toBe(4711)
    expect(await storedChannel(id)).toMatchObject({ used_quota: 0, balance: 0, response_time: 0 })
    expect((await storedChannel(id)).created_time).toBeGreaterThan(1)
  })
})

test.each([
  ['type', 9],
  ['type', 'openai'],
  ['base_url', 'ftp://example.org'],
  ['base_url', 'example.org'],
  ['model_mapping', '{"a":'],
  ['model_mapping', '["a"]'],
  ['model_mapping', '{"a":1}'],
  ['param_override', '3'],
  ['setting', 'null'],
  ['setting', '{"proxy":5}'],
  ['setting', '{"proxy":"http://a.example\\r\\nx-evil: 1"}'],
  ['setting', '{"proxy":"http://a.example:99999"}'],
  ['setting', '{"allowed_fields":"models"}'],
  ['setting', '{"allowed_fields":[1]}'],
  ['status_code_mapping', '{"429":"many"}'],
  ['status_code_mapping', '{"429":"200"}'],
  ['status_code_mapping', '{"429":[500]}'],
  ['openai_organization', 'org\r\nx-evil: 1'],
  ['openai_organization', '组织'],
  ['group', ['default', 'g'.repeat(101)]],
  ['priority', -1000],
  ['priority', 1.5],
  ...[2 ** 53, 'high', '', '1e3', '5abc', '１', '0x1', true, [5]].map(
    value => ['priority', value] as [string, unknown],
  ),
  ['weight', -1],
  ['weight', 1e300],
  ['auto_ban', 2],
  ['models', 'm'.repeat(256)],
  ['models', 7],
  ['key', 'two words'],
  ['key', '密钥'],
  ['model_prefix', 'p'.repeat(65)],
])('channel field %s refuses %p', async (field, value) => {
  const before = (await admin.get('/api/channel/?p=0&page_size=100')).total
  const answer = await admin.post('/api/channel/', { name: 'a', key: 'k', models: 'm', [field]: value })
  expect(answer).toMatchObject({ status: 400, success: false, field })
  expect((await admin.get('/api/channel/?p=0&page_size=100')).total).toBe(before)
})

describe('keys', () => {
  test('channel keys are sealed, masked and never listed', async () => {
    const { id, name, key } = await makeChannel(admin, {
      key: 'sk-first-aaaaaaaaaa, sk-second-bbbbbbbb\nsk-third-cccccccccc',
    })
    expect(key).toBe('sk-f…aaaa,sk-s…bbbb,sk-t…cccc')
    expect((await storedChannel(id)).key_sealed).not.toContain('sk-')
    for (const path of [`/api/channel/${id}`, '/api/channel/?page_size=100', `/api/channel/search?keyword=${name}`]) {
      const text = JSON.stringify(await admin.get(path))
      expect(text).not.toContain('aaaaaaaaaa')
      expect(text).not.toContain('key_sealed')
    }
    expect((await channelById(id))?.keys).toEqual(['sk-first-aaaaaaaaaa', 'sk-second-bbbbbbbb', 'sk-third-cccccccccc'])
  })

  test('channel keys stay for an empty or masked value and change for another', async () => {
    const { id, key } = await makeChannel(admin)
    for (const said of [undefined, '', key]) {
      await admin.put('/api/channel/', { id, key: said, weight: 3 })
      expect((await channelById(id))?.keys).toEqual([KEY])
    }
    await admin.put('/api/channel/', { id, key: 'sk-new' })
    expect((await channelById(id))?.keys).toEqual(['sk-new'])
  })

  test('channel keys go to no other host unless entered again or allowed by root', async () => {
    const { id, key } = await makeChannel(admin, { base_url: 'https://api.example.com/v2' })
    const elsewhere = [
      { base_url: 'https://evil.example/v2' },
      { base_url: 'https://evil.example', key },
      { base_url: 'http://api.example.com/v2' },
      { base_url: 'https://api.example.com:8443/v2' },
      { base_url: 'https://api.example.com@evil.example' },
      { base_url: '' },
    ]
    for (const change of elsewhere) {
      const refused = await admin.put('/api/channel/', { id, ...change })
      expect([change, refused.status, refused.code, refused.field]).toEqual([change, 400, 'channel.key_again', 'key'])
    }
    expect(await storedChannel(id)).toMatchObject({ base_url: 'https://api.example.com/v2' })

    expect((await admin.put('/api/channel/', { id, base_url: 'https://api.example.com/v3' })).success).toBe(true)
    const own = { base_url: 'https://other.example', key: 'sk-of-my-own-123' }
    expect((await admin.put('/api/channel/', { id, ...own })).success).toBe(true)
    const root = await setUp()
    expect((await root.put('/api/channel/', { id, base_url: 'https://third.example' })).success).toBe(true)
    expect((await channelById(id))?.keys).toEqual(['sk-of-my-own-123'])
  })

  test('channel keys go through no other proxy unless entered again', async () => {
    const plain = await makeChannel(admin, { base_url: 'http://9.9.9.9' })
    const setting = '{"proxy":"http://evil.example:3128"}'
    expect(await admin.put('/api/channel/', { id: plain.id, setting })).toMatchObject({ code: 'channel.key_again' })
    const socket = await makeChannel(admin, { type: 18, base_url: 'ws://9.9.9.9', key: 'app|secret|key' })
    expect(await admin.put('/api/channel/', { id: socket.id, setting })).toMatchObject({ code: 'channel.key_again' })
    const encrypted = await makeChannel(admin, { base_url: 'https://api.example.com' })
    expect((await admin.put('/api/channel/', { id: encrypted.id, setting })).success).toBe(true)
  })

  test('channel keys of a type go to no host of another type', async () => {
    const { id } = await makeChannel(admin)
    expect(await admin.put('/api/channel/', { id, type: 43 })).toMatchObject({ code: 'channel.key_again' })
  })

  test('channel keys missing in the form are refused at their field', async () => {
    const { id, name } = await makeChannel(admin, { base_url: 'https://api.example.com' })
    const typed = { name, type: '1', models: 'm', base_url: 'https://evil.example', priority: '0', weight: '0' }
    const response = await admin.form(`/admin/channels/${id}`, typed)
    expect(response.status).toBe(422)
    expect(await response.text()).toContain('The stored keys would be sent to another host')
    expect(await storedChannel(id)).toMatchObject({ base_url: 'https://api.example.com' })
  })

  test('channel keys find their channel in a search', async () => {
    const { id } = await makeChannel(admin, { key: 'sk-needle-in-a-haystack' })
    const { data } = await admin.get('/api/channel/search?keyword=sk-needle-in-a-haystack')
    expect(data.map((one: { id: number }) => one.id)).toEqual([id])
  })
})

describe('changing one', () => {
  test('an edit of a channel keeps absent fields and empties empty ones', async () => {
    const { id, models } = await makeChannel(admin, {
      base_url: 'http://9.9.9.9:9',
      model_mapping: '{"a":"b"}',
      weight: 5,
      tag: 'eu',
    })
    const emptied = { key: KEY, base_url: '', model_mapping: '', weight: 0, tag: null }
    const { data } = await admin.put('/api/channel/', { id, ...emptied })
    expect(data).toMatchObject({ base_url: '', model_mapping: '', weight: 0, tag: 'eu', models })
  })

  test('an edit of a channel keeps at least one model; an unknown channel is a 404', async () => {
    const { id } = await makeChannel(admin)
    expect(await admin.put('/api/channel/', { id, models: '' })).toMatchObject({ status: 400, field: 'models' })
    expect(await admin.put('/api/channel/', { id: 999_999, weight: 1 })).toMatchObject({ status: 404, success: false })
    expect(await admin.put('/api/channel/', { weight: 1 })).toMatchObject({ status: 400, success: false })
  })

  test('an edit of a channel with an invalid field changes nothing', async () => {
    const { id } = await makeChannel(admin, { weight: 5 })
    await admin.put('/api/channel/', { id, weight: 6, setting: '{' })
    expect((await storedChannel(id)).weight).toBe(5)
  })

  test.each([
    ['', undefined],
    ['{"gemini-2.5-pro":"europe-west1"}', 'channel.region_default'],
    ['{"default":', 'channel.region_json'],
    ['evil.example/', 'channel.region_characters'],
    ['{"default":"us-central1","gemini-2.5-pro":"evil.example#"}', 'channel.region_characters'],
    ['{"default":"us-central1","gemini-2.5-pro":"europe-west1"}', undefined],
    ['us-central1', undefined],
  ])('Vertex AI has its region, or one by model and one for all others: %p', async (other, code) => {
    const fields = {
      name: 'vertex',
      type: 41,
      models: 'm',
      key: serviceAccount('https://oauth2.googleapis.com'),
      other,
    }
    expect((await admin.post('/api/channel/', fields)).code).toBe(code)
  })

  test('a disabled channel stores the reason manual', async () => {
    const { id } = await makeChannel(admin)
    const { data } = await admin.put('/api/channel/', { id, status: ChannelStatus.disabled })
    expect(data.status).toBe(ChannelStatus.disabled)
    expect(JSON.parse(data.other_info)).toMatchObject({ status_reason: 'manual', status_time: expect.any(Number) })
  })

  test('a deleted channel loses its abilities and its health', async () => {
    const { id, models } = await makeChannel(admin)
    countServed(id, 'm')
    await flushOutcomes()
    expect(await admin.delete(`/api/channel/${id}/`)).toMatchObject({ success: true })
    expect(await admin.get(`/api/channel/${id}`)).toMatchObject({ status: 404 })
    expect(await servingChannels('default', models)).toEqual([])
    expect(await admin.delete(`/api/channel/${id}`)).toMatchObject({ status: 404 })
    countServed(id, 'm')
    await flushOutcomes()
    expect((await healthOf([id])).get(id)?.at(-1)).toEqual({ succeeded: 0, failed: 0 })
  })
})

describe('lists', () => {
  test('channel lists page from 0, highest priority first, as an array with the total beside it', async () => {
    const tag = 'list'
    const ids: number[] = []
    for (const priority of [1, 3, 2])
      ids.push((await makeChannel(admin, { name: `${tag}-${priority}`, priority, base_url: 'http://list.test' })).id)
    const names = ({ data }: { data: { name: string }[] }) => data.map(one => one.name)
    const found = `/api/channel/search?keyword=${tag}&page_size=2`
    const first = await admin.get(`${found}&p=0`)
    expect(names(first)).toEqual([`${tag}-3`, `${tag}-2`])
    expect(first.total).toBe(3)
    expect(names(await admin.get(`${found}&p=1`))).toEqual([`${tag}-1`])
    expect(names(await admin.get(`${found}&p=NaN&id_sort=true`))).toEqual([`${tag}-2`, `${tag}-3`])
    expect((await admin.get('/api/channel/?p=0')).data.length).toBeLessThanOrEqual(10)
    expect(names(await admin.get('/api/channel/search?keyword=LIST.test')).length).toBe(3)
    expect(names(await admin.get(`/api/channel/search?keyword=${ids[0]}`))).toContain(`${tag}-1`)
  })

  test('channel search: groups are exact, models partial, wildcards literal', async () => {
    const { id } = await makeChannel(admin, { models: 'needle-1.5-pro', group: 'vip,batch', name: '100%_o\\ff' })
    const ids = async (query: string) =>
      (await admin.get(`/api/channel/search?${query}`)).data.map((one: { id: number }) => one.id)
    expect(await ids('model=LE-1.5')).toEqual([id])
    expect(await ids('group=vip&model=needle')).toEqual([id])
    expect(await ids('group=vi&model=needle')).toEqual([])
    expect(await ids('keyword=100%25_')).toEqual([id])
    expect(await ids('keyword=0__o')).toEqual([])
    expect(await ids('keyword=o%5Cff')).toEqual([id])
    expect(await ids('group=v_p&model=needle')).toEqual([])
    expect(await ids('keyword=undefined&group=null&model=needle')).toEqual([id])
  })
})
