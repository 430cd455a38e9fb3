// @engine sqlite
/** The channel page without JavaScript. */
import { expect, test } from 'bun:test'
import { Role } from '../../src/contracts/account.ts'
import { ChannelStatus } from '../../src/contracts/channel.ts'
import { countFailed, countServed, flushOutcomes } from '../../src/domain/routing/health/hourly-outcomes.ts'
import { channelById } from '../../src/domain/routing/routing-table.ts'
import { visitor } from '../support/people/person.ts'
import { makeChannel, storedChannel } from '../support/upstream/channel.ts'

const admin = await visitor(Role.admin)

const PATH = '/admin/channels'
const html = async (path: string) => (await admin.page(path)).text()

const typed = {
  name: 'plain',
  type: '1',
  key: 'sk-plain',
  models: 'one two,three',
  priority: '0',
  weight: '0',
  'group[]': ['default', 'vip'],
}

test('the form creates and changes a channel, and its key is never shown again', async () => {
  const made = await admin.form(`${PATH}?new`, { ...typed, returnTo: PATH })
  expect([made.status, made.headers.get('location')]).toEqual([303, PATH])
  const { data } = await admin.get('/api/channel/search?keyword=plain')
  expect(data[0]).toMatchObject({ models: 'one,two,three', group: 'default,vip', auto_ban: 0 })
  const { id } = data[0]
  expect(await html(`${PATH}?edit=${id}`)).not.toContain('sk-plain')
  await admin.form(`${PATH}/${id}`, {
    ...typed,
    key: '',
    auto_ban: '1',
    models: 'one',
    system_prompt: 'Be kind.',
    max_input_tokens: '9000',
  })
  expect(await channelById(id)).toMatchObject({
    keys: ['sk-plain'],
    models: ['one'],
    auto_ban: true,
    system_prompt: 'Be kind.',
    max_input_tokens: 9000,
  })
})

test('a form that is sent twice creates one channel', async () => {
  const [, form_id] = /name="form_id" value="([^"]+)"/.exec(await html(`${PATH}?new`))!
  const send = () => admin.form(`${PATH}?new`, { ...typed, name: 'once', form_id: form_id! })
  const answers = await Promise.all([send(), send()])
  expect(answers.map(answer => answer.status)).toEqual([303, 303])
  expect((await admin.get('/api/channel/search?keyword=once')).data).toHaveLength(1)
})

test('an edit keeps a concurrent change of another field', async () => {
  const { id } = await makeChannel(admin, { name: 'ours', param_override: '{\n  "user": "x"\n}' })
  const page = await html(`${PATH}?edit=${id}`)
  const was = /name="was" value="([^"]*)"/.exec(page)![1]!.replaceAll('&quot;', '"').replaceAll('&amp;', '&')
  const { key, ...filled } = JSON.parse(was)
  await admin.put('/api/channel/', { id, weight: 7, param_override: '' })
  const fields = { ...filled, name: 'mine', 'group[]': filled.group, param_override: '{\r\n  "user": "x"\r\n}', was }
  expect((await admin.form(`${PATH}/${id}`, fields)).status).toBe(303)
  expect((await admin.get(`/api/channel/${id}`)).data).toMatchObject({ name: 'mine', weight: 7, param_override: '' })
})

test('a base URL that ends in /v1 is refused once', async () => {
  const fields = { ...typed, name: 'versioned', base_url: 'http://9.9.9.9:9/v1' }
  const asked = await admin.form(`${PATH}?new`, fields)
  expect(asked.status).toBe(422)
  const page = await asked.text()
  expect(page).toContain('ends in /v1')
  expect(page).toContain('name="base_url_kept" value="http://9.9.9.9:9/v1"')
  expect((await admin.form(`${PATH}?new`, { ...fields, base_url_kept: fields.base_url })).status).toBe(303)
})

test('a channel is deleted after its name was typed', async () => {
  const { id, name } = await makeChannel(admin, { name: 'doomed' })
  const remove = (confirm: string) => admin.form(`${PATH}/${id}/delete`, { confirm })
  expect((await remove('another')).status).toBe(422)
  expect(await channelById(id)).toBeDefined()
  expect((await remove(name)).status).toBe(303)
  expect(await channelById(id)).toBeUndefined()
})

test('the list is filtered by its URL and shows health', async () => {
  const { id } = await makeChannel(admin, { name: 'observed', models: 'observed-model', group: 'default' })
  countFailed(id, 'm', 'timeout')
  for (let call = 0; call < 2; call++) countServed(id, 'm')
  await flushOutcomes()
  const page = await html(`${PATH}?keyword=observed&status=1&group=default&model=observed-model`)
  expect(page).toContain('66.6% of 3 calls in the last 24 hours succeeded')
  expect(page).toContain('untested')
  expect(await html(`${PATH}?keyword=observed&status=2`)).toContain('No channel matches.')
  expect(await html(`${PATH}?status=nonsense&p=-3`)).toContain('observed')
})

test('a number in the list is a form, and a bad one changes nothing', async () => {
  const { id } = await makeChannel(admin)
  expect(
    (await admin.form(`${PATH}/${id}/routing`, { weight: '12', returnTo: `${PATH}?p=1` })).headers.get('location'),
  ).toBe(`${PATH}?p=1`)
  expect(
    (await admin.form(`${PATH}/${id}/routing`, { weight: '-1', returnTo: '//elsewhere.test' })).headers.get('location'),
  ).toBe(PATH)
  expect(await storedChannel(id)).toMatchObject({ weight: 12, other_info: '' })
})

test('old paths redirect here, and other users are refused', async () => {
  expect((await admin.page('/channel/add')).headers.get('location')).toBe(`${PATH}?new`)
  expect((await admin.page('/channel/edit/3')).headers.get('location')).toBe(`${PATH}?edit=3`)
  expect((await admin.page(`${PATH}?edit=999999`)).status).toBe(404)
  expect((await (await visitor(Role.user)).page(PATH)).status).not.toBe(200)
})

test('a form with a wrong CSRF token is refused', async () => {
  const { id } = await makeChannel(admin)
  expect((await admin.form(`${PATH}/${id}/status`, { status: '2', csrf: 'guessed' })).status).toBe(403)
  expect((await storedChannel(id)).status).toBe(ChannelStatus.enabled)
})
