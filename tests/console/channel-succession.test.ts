// @engine sqlite
/** Channels whose provider has closed the service: their notice, and the click that changes their type. */
import { expect, test } from 'bun:test'
import { Role } from '../../src/contracts/account.ts'
import { setUp, visitor } from '../support/people/person.ts'
import { makeChannel, storedChannel } from '../support/upstream/channel.ts'

const root = await setUp()
const admin = await visitor(Role.admin)
const PATH = '/admin/channels'
const successorKey = 'bce-v3/ALTAK-one/two'

test('list and drawer say that the provider has closed the service, in both languages', async () => {
  const { id } = await makeChannel(root, { type: 15, name: 'old-wenxin', key: successorKey })
  const list = await (await root.page(PATH)).text()
  expect(list).toContain('title="Closed by the provider on 2026-08-31."')
  const drawer = await (await root.page(`${PATH}?edit=${id}`)).text()
  expect(drawer).toContain('Baidu Qianfan V2 serves what has taken its place.')
  expect(drawer).toContain('Change type to Baidu Qianfan V2')
  expect(await (await root.page(`${PATH}/${id}/menu`)).text()).toContain('Change type to Baidu Qianfan V2')
  expect(await (await root.page(`${PATH}?edit=${id}`, { language: 'zh' })).text()).toContain(
    '服务商已于 2026-08-31 关闭该服务。',
  )
})

test('one click changes the type and keeps the rest, for administrators too', async () => {
  const fields = { type: 15, key: successorKey, models: 'ernie-4.5', priority: 4, weight: 3, tag: 'baidu' }
  const { id } = await makeChannel(root, fields)
  const response = await admin.form(`${PATH}/${id}/successor`, { returnTo: PATH })
  expect(response.status).toBe(303)
  const { type, models, priority, weight, tag, key_sealed } = await storedChannel(id)
  expect({ type, models, priority, weight, tag }).toEqual({ ...fields, type: 46, key: undefined } as never)
  expect(key_sealed).not.toBe('')
})

test('a key without the form of the successor is asked for in the drawer, and nothing changes', async () => {
  const { id } = await makeChannel(root, { type: 15, key: 'old-key|old-secret' })
  const response = await root.form(`${PATH}/${id}/successor`)
  const html = await response.text()
  expect(response.status).toBe(422)
  expect(html).toContain('id="field-key-error"')
  expect((await storedChannel(id)).type).toBe(15)
})

test('an own base URL is a destination that an administrator has to confirm with the key', async () => {
  const { id } = await makeChannel(root, { type: 15, key: successorKey, base_url: 'https://old.example' })
  expect(await admin.put('/api/channel/', { id, type: 46, base_url: '' })).toMatchObject({ code: 'channel.key_again' })
})

test('a channel of a living service has no successor', async () => {
  const { id } = await makeChannel(root, { type: 1 })
  expect((await root.form(`${PATH}/${id}/successor`)).status).toBe(404)
})
