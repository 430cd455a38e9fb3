/** The channel drawer without JavaScript: fields by type, keys, settings beside their JSON. */
import { describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { Role } from '../../src/contracts/account.ts'
import { db } from '../../src/db/database.ts'
import { channels } from '../../src/domain/channels/table.ts'
import { channelById } from '../../src/domain/routing/routing-table.ts'
import { providers } from '../../src/providers/index.ts'
import { type DrawerFields, filledDrawer, submitDrawer } from '../support/people/channel-drawer.ts'
import { setUp, visitor } from '../support/people/person.ts'
import { makeChannel, storedChannel } from '../support/upstream/channel.ts'
import { serviceAccount } from '../support/upstream/google-account.ts'

const root = await setUp()
const admin = await visitor(Role.admin)

const PATH = '/admin/channels'
const typed = { name: 'form', type: '1', key: 'sk-typed-0123456789', models: 'gpt-4o', priority: '0', weight: '0' }
const submitted = (fields: DrawerFields, path?: string) => submitDrawer(root, fields, path)
const filled = (id: number) => filledDrawer(root, id)

describe('the provider', () => {
  test('the drawer begins with common providers, and those of a later version cannot be chosen', async () => {
    const html = await (await root.page(`${PATH}?new`)).text()
    const options = [...html.matchAll(/<option value="(\d+)"( disabled="")?[^>]*>([^<]+)</g)]
    const labels = options.slice(0, 8).map(([, , , label]) => label)
    expect(labels).toEqual([
      'OpenAI',
      'Anthropic Claude',
      'Google Gemini',
      'Azure OpenAI',
      'DeepSeek',
      'OpenRouter',
      'Ollama',
      'Custom',
    ])
    expect(options.filter(([, , disabled]) => disabled).map(([, type]) => type)).toContain('36')
    expect(options).toHaveLength(providers.length)
  })

  test('a new channel is named after its provider, with a number when the name is taken', async () => {
    await makeChannel(root, { name: 'OpenAI' })
    const html = await (await root.page(`${PATH}?new`)).text()
    expect(/name="name"[^>]*value="([^"]*)"/.exec(html)?.[1] ?? /value="([^"]*)"[^>]*name="name"/.exec(html)?.[1]).toBe(
      'OpenAI 2',
    )
  })

  test('Ollama needs no key, and has one empty key', async () => {
    const { status } = await submitted({ ...typed, name: 'ollama', type: '4', key: '', base_url: 'http://9.9.9.9:9' })
    expect(status).toBe(303)
    const { data } = await root.get('/api/channel/search?keyword=ollama')
    expect((await channelById(data[0].id))?.keys).toEqual([''])
  })
})

describe('fields of a type', () => {
  test.each([
    [39, '', 'Enter the account ID'],
    [21, '', 'Enter the ID of the knowledge base'],
    [17, '{"a":', 'The plugins must be a JSON object'],
    [3, 'two words', 'A version has letters, digits, dots and dashes only'],
    [41, '{"x":"us-central1"}', 'The region map needs an entry "default"'],
  ])('type %p refuses the field of its own %p', async (type, other, message) => {
    const key = serviceAccount('https://oauth2.googleapis.com')
    const fields = {
      name: 'odd',
      type,
      key: type === 41 ? key : 'k',
      models: 'm',
      base_url: 'https://a.example',
      other,
    }
    expect(await root.post('/api/channel/', fields)).toMatchObject({ status: 400, field: 'other', message })
    const { status, errors } = await submitted({ ...typed, ...fields, type: String(type) })
    expect([status, errors]).toEqual([422, [message]])
  })

  test('a channel of type 18 has version v2.1 unless it names another', async () => {
    const fields = { type: 18, key: 'app|secret|key' }
    expect((await makeChannel(root, fields)).other).toBe('v2.1')
    expect((await makeChannel(root, { ...fields, other: 'v3.5' })).other).toBe('v3.5')
  })

  test.each([
    [15, 'one', 'APIKey|SecretKey'],
    [18, 'one|two', 'APPID|APISecret|APIKey'],
    [23, 'a|b|', 'AppId|SecretId|SecretKey'],
    [33, 'a', 'AccessKey|SecretKey|Region'],
  ])('type %p refuses the key %p', async (type, key, format) => {
    const answer = await root.post('/api/channel/', { name: 'a', models: 'm', type, key })
    expect(answer).toMatchObject({ status: 400, field: 'key', code: 'channel.key_parts' })
    expect(answer.message).toContain(format)
  })

  test('an edit of another field does not judge what an older version has stored', async () => {
    const { id } = await makeChannel(root, { type: 39, other: 'account' })
    await db.update(channels).set({ other: '' }).where(eq(channels.id, id))
    expect(await root.put('/api/channel/', { id, weight: 4 })).toMatchObject({ success: true })
    expect(await root.put('/api/channel/', { id, other: '', type: 39, base_url: 'https://b.example' })).toMatchObject({
      field: 'other',
    })
  })
})

describe('errors', () => {
  test('every wrong field has its error at once', async () => {
    const { status, errors } = await submitted({
      ...typed,
      name: ' ',
      key: '',
      models: '',
      priority: 'high',
      param_temperature: 'hot',
      setting_proxy: 'ftp://proxy',
      model_mapping: '{"a":"b","b":"a"}',
    })
    expect(status).toBe(422)
    expect(errors.sort()).toEqual(
      [
        'Enter a name',
        'Enter a key',
        'A channel needs at least one model',
        'The priority must be a whole number, at least −999',
        'Enter a number, or leave the field empty',
        'Enter a URL that starts with http://, https:// or socks5://',
        'Model mapping contains a circle: each chain must end at a name that is not mapped',
      ].sort(),
    )
  })

  test('a mapping of thousands of names is stored, and a circle at the end of its chain is found', async () => {
    const chain = Array.from({ length: 5000 }, (_, at) => [`m${at}`, `m${at + 1}`])
    const mapping = (...more: string[][]) => JSON.stringify(Object.fromEntries([...chain, ...more]))
    const { model_mapping } = await makeChannel(root, { model_mapping: mapping() })
    expect(model_mapping).toBe(mapping())
    expect(await root.post('/api/channel/', { ...typed, model_mapping: mapping(['m5000', 'm4999']) })).toMatchObject({
      ...{ status: 400, field: 'model_mapping', code: 'mapping.circle' },
    })
  })

  test('the form leaves all checks to the server: no bubble of the browser stands in front of them', async () => {
    const html = await (await root.page(`${PATH}?new`)).text()
    expect(/<form[^>]* novalidate=""/i.test(html)).toBe(true)
  })

  test('a private proxy of an administrator is refused at the field of the proxy', async () => {
    const response = await admin.form(`${PATH}?new`, { ...typed, setting_proxy: 'http://127.0.0.1:7890' })
    expect(response.status).toBe(422)
    expect(/id="field-setting_proxy-error"/.test(await response.text())).toBe(true)
  })
})

describe('keys', () => {
  test('repeated keys are stored once, and the message counts them', async () => {
    const key = 'sk-one-0123456789\nsk-two-0123456789,sk-one-0123456789'
    const response = await root.form(`${PATH}?new`, { ...typed, name: 'repeated', key })
    expect(decodeURIComponent(response.headers.get('set-cookie') ?? '')).toContain('1 repeated key left out')
    const { data } = await root.get('/api/channel/search?keyword=repeated')
    expect((await channelById(data[0].id))?.keys).toEqual(['sk-one-0123456789', 'sk-two-0123456789'])
  })

  test('a thousand keys are stored, and a longer list is refused at its field', async () => {
    const keys = Array.from(
      { length: 1000 },
      (_, index) => `sk-proj-${String(index).padStart(5, '0')}${'x'.repeat(150)}`,
    )
    const { id } = await makeChannel(root, { key: keys.join('\n') })
    expect((await channelById(id))?.keys).toHaveLength(1000)
    const answer = await root.put('/api/channel/', { id, key: 'k'.repeat(500_001) })
    expect(answer).toMatchObject({ status: 400, field: 'key', code: 'channel.keys_too_long' })
    expect(await root.form(`${PATH}/${id}`, { ...typed, key: 'k'.repeat(500_001) })).toMatchObject({ status: 422 })
    expect((await channelById(id))?.keys).toHaveLength(1000)
  })
})

describe('settings beside their JSON', () => {
  test('settings of drawings have fields, and a switch that is left to the site is none', async () => {
    const fields = { ...typed, type: '5', models: 'mj_imagine', setting_mj_keep_mode: '1' }
    for (const [at, notify] of ['on', 'off', ''].entries()) {
      expect((await submitted({ ...fields, name: `drawings-${at}`, setting_mj_notify: notify })).status).toBe(303)
      const { data } = await root.get(`/api/channel/search?keyword=drawings-${at}`)
      const { id, setting } = await storedChannel(data[0].id)
      const told = notify === '' ? {} : { mj_notify: notify === 'on' }
      expect(JSON.parse(setting)).toEqual({ mj_keep_mode: true, ...told })
      const drawer = await (await root.page(`/admin/channels?edit=${id}`)).text()
      for (const name of ['setting_mj_keep_mode', 'setting_mj_notify']) expect(drawer).toContain(`name="${name}"`)
      expect(drawer).toContain(notify === 'off' ? 'No callbacks' : 'Ask for callbacks')
    }
    const plain = await (await root.page('/admin/channels?new')).text()
    expect(plain).not.toContain('setting_mj_notify')
  })

  test('fields and JSON are stored as one object, and unknown keys stay', async () => {
    const { status } = await submitted({
      ...typed,
      name: 'joined',
      setting: '{"of_tomorrow": [1]}',
      setting_proxy: 'socks5://9.9.9.9:1080',
      setting_force_format: '1',
      setting_auto_cache: '1',
      setting_stream_support: '1',
      setting_allowed_fields: 'models, service_tier',
      param_override: '{"user":"x"}',
      param_temperature: '0.5',
      param_max_tokens: '100',
    })
    expect(status).toBe(303)
    const { data } = await root.get('/api/channel/search?keyword=joined')
    const { setting, param_override } = await storedChannel(data[0].id)
    expect(JSON.parse(setting)).toEqual({
      proxy: 'socks5://9.9.9.9:1080',
      force_format: true,
      auto_cache: false,
      stream_support: 'NON_STREAM_ONLY',
      allowed_fields: ['models', 'service_tier'],
      of_tomorrow: [1],
    })
    expect(JSON.parse(param_override)).toEqual({ temperature: 0.5, max_tokens: 100, user: 'x' })
  })

  test('an edit that changes one field leaves the text of the others as it is', async () => {
    const setting = '{ "thinking_to_content":false,  "proxy":"http://9.9.9.9:1", "x":1}'
    const { id } = await makeChannel(root, { setting, param_override: '{"temperature":"hot","top_p":0.1}' })
    const fields = await filled(id)
    expect([fields.setting_proxy, fields.param_top_p, fields.param_temperature]).toEqual([
      'http://9.9.9.9:1',
      '0.1',
      '',
    ])
    await submitted({ ...fields, 'group[]': 'default', weight: '9' }, `${PATH}/${id}`)
    const stored = await storedChannel(id)
    expect(stored).toMatchObject({ weight: 9, setting, param_override: '{"temperature":"hot","top_p":0.1}' })
    await submitted({ ...(await filled(id)), 'group[]': 'default', setting_proxy: '' }, `${PATH}/${id}`)
    expect(JSON.parse((await storedChannel(id)).setting)).toEqual({ x: 1 })
  })
})
