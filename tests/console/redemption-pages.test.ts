/** The redemption codes page without JavaScript: every form and every dialog over HTTP. */
import { expect, test } from 'bun:test'
import { Role } from '../../src/contracts/account.ts'
import { CODES_PATH } from '../../src/contracts/redemption.ts'
import messages from '../../src/locales/en/redemption.json'
import { setOption } from '../support/app/options.ts'
import { setUp, visitor } from '../support/people/person.ts'
import { latest, newCode, newCodes, newRow, redeem, rowOf } from '../support/people/redemption-codes.ts'

const root = await setUp()
const admin = await visitor(Role.admin)
const ann = await visitor()

const textOf = async (query = '', language: 'en' | 'zh' = 'en') =>
  (await admin.page(`${CODES_PATH}${query}`, { language })).text()
const located = (response: Response) => [response.status, response.headers.get('location')]
const toastOf = (response: Response): string => {
  const cookie = response.headers.getSetCookie().find(set => set.startsWith('notice='))
  return JSON.parse(decodeURIComponent(cookie!.split(';')[0]!.slice('notice='.length))).text
}
/** The drawer as it is sent with every field that it has. */
const drawer = { name: '', quota: '0.2', count: '1', max_uses: '', valid_from: '', valid_until: '', key: '' }

test('the form creates codes, which its next page shows to copy and to download', async () => {
  const form = { ...drawer, name: 'from form', quota: '1.5', count: '3', is_gift: 'true', max_uses: '4' }
  const sent = { ...form, valid_until: '2099-12-31 23:59:59', form_id: 'codes-1' }
  const [first, again] = await Promise.all([admin.form(CODES_PATH, sent), admin.form(CODES_PATH, sent)])
  const { id, key } = await latest()
  expect(located(first)).toEqual([303, `${CODES_PATH}?created=${[id - 2, id - 1, id].join('%2C')}`])
  expect(located(again)).toEqual(located(first))
  expect(await rowOf(id)).toMatchObject({
    ...{ name: 'from form', quota: 750_000, is_gift: true, max_uses: 4, valid_from: 0, valid_until: 4_102_444_799 },
  })
  const page = await textOf(`?created=${id - 2},${id - 1},${id}`)
  expect([page.includes('Created 3 codes'), page.includes(key)]).toEqual([true, true])
  const csv = await admin.page(`${CODES_PATH}/export.csv?codes=${id - 1},${id}`)
  expect(csv.headers.get('content-disposition')).toMatch(/^attachment; filename="codes-\d{4}-\d\d-\d\d\.csv"$/)
  const lines = (await csv.text()).trim().split('\r\n')
  expect(lines[0]).toContain('ID,Name,Code,Quota,State,Uses')
  expect(lines.slice(1).map(line => line.split(',').slice(0, 6).join())).toEqual([
    `${id},from form,${key},1.5,Unused,0 / 4`,
    expect.stringMatching(new RegExp(`^${id - 1},from form,[0-9a-f]{32},1.5,Unused,0 / 4$`)),
  ])
})

test('the CSV of a code has each moment in its own column', async () => {
  await admin.form(CODES_PATH, {
    ...drawer,
    name: 'dated',
    valid_from: '2098-01-02 03:04:05',
    valid_until: '2099-02-03 04:05:06',
  })
  const { id } = await latest()
  const csv = await (await admin.page(`${CODES_PATH}/export.csv?codes=${id}`)).text()
  const [head, cells] = csv
    .trim()
    .split('\r\n')
    .map(line => line.split(','))
  const cell = (name: string) => cells![head!.indexOf(name)]
  const { valid_from, valid_until } = messages
  expect([cell(valid_from), cell(valid_until)]).toEqual(['2098-01-02 03:04:05', '2099-02-03 04:05:06'])
})

test('a refused form is shown again with its values and an error at each field, in both languages', async () => {
  const before = (await latest()).id
  const form = { ...drawer, name: 'x'.repeat(21), quota: 'much', count: '101', max_uses: '0', valid_until: 'soon' }
  const errors = {
    en: ['The name has 1 to 20 characters', 'Quota must be a whole number', 'At most 100 codes', 'Time format error'],
    zh: ['名称长度为 1 到 20 个字符', '额度必须是', '一次最多生成 100 个兑换码', '时间格式错误'],
  }
  for (const language of ['en', 'zh'] as const) {
    const response = await admin.form(CODES_PATH, form, { language })
    const page = await response.text()
    expect([response.status, errors[language].filter(error => !page.includes(error))]).toEqual([422, []])
    expect(['x'.repeat(21), 'much', 'soon'].filter(value => !page.includes(`value="${value}"`))).toEqual([])
  }
  expect((await latest()).id).toBe(before)
})

test('the editor opens for an unused code only and saves what was changed', async () => {
  const { id, key } = await newRow({ name: 'plain', quota: 1, valid_until: 0 })
  expect(located(await admin.page(`${CODES_PATH}/${id}`))).toEqual([303, `${CODES_PATH}?edit=${id}`])
  expect((await textOf(`?edit=${id}`)).includes('name="quota_was" value="0.000002"')).toBe(true)
  // A unit so large that the field rounds the quota.
  await setOption('QuotaPerUnit', 1_000_000_000)
  const edit = { name: 'edited', quota: '0', quota_was: '0', max_uses: '', valid_from: '2030-01-01 00:00:00' }
  const saved = await admin.form(`${CODES_PATH}/${id}`, edit)
  await setOption('QuotaPerUnit', 500_000)
  expect([located(saved), toastOf(saved)]).toEqual([[303, CODES_PATH], 'Saved edited'])
  expect(await rowOf(id)).toMatchObject({ name: 'edited', quota: 1, valid_from: 1_893_456_000 })
  const refused = await admin.form(`${CODES_PATH}/${id}`, { ...edit, quota: '0.2', valid_until: '2029-01-01 00:00:00' })
  expect([refused.status, (await refused.text()).includes('must be earlier than the expiry')]).toEqual([422, true])
  await root.put('/api/redemption/', { id, valid_from: 0 })
  await redeem(ann, key)
  expect((await textOf(`?edit=${id}`)).includes('Uses of edited')).toBe(true)
  const late = await admin.form(`${CODES_PATH}/${id}`, { ...edit, quota: '1' })
  expect(toastOf(late)).toBe('Only an unused code can be edited')
})

test('rows show states, greyed-out used-up gifts, and the last user', async () => {
  const used = await newRow({ name: 'row used', quota: 1 })
  await redeem(ann, used.key)
  const full = await newRow({ name: 'row full', quota: 1, is_gift: true, max_uses: 1 })
  await redeem(ann, full.key)
  const open = await newRow({ name: 'row open', quota: 1, is_gift: true, max_uses: 2 })
  await redeem(ann, open.key)
  await newCode({ name: 'row future', valid_from: 4_000_000_000 })
  const page = await textOf('?keyword=row')
  const cellsOf = (id: number) => page.split(`id="row-${id}"`)[1]!.split('</tr>')[0]!
  const isGrey = (id: number) => cellsOf(id).slice(0, 60).includes('used-up')
  expect([used, full, open].map(({ id }) => isGrey(id))).toEqual([false, true, false])
  expect([cellsOf(used.id).includes('Used'), cellsOf(used.id).includes(ann.username)]).toEqual([true, true])
  expect(cellsOf(used.id).includes('disabled="" title="A used code can be neither')).toBe(true)
  expect(['Used up', '1 / 1'].filter(text => !cellsOf(full.id).includes(text))).toEqual([])
  expect(['In use', '1 / 2'].filter(text => !cellsOf(open.id).includes(text))).toEqual([])
  expect(page.includes('Not yet valid')).toBe(true)
  const uses = await textOf(`?uses=${open.id}`)
  expect([uses.includes('Uses of row open'), uses.includes(`keyword=${ann.username}`)]).toEqual([true, true])
})

test('the uses of a code have pages in its drawer', async () => {
  const { id, key } = await newRow({ name: 'popular', quota: 1, is_gift: true })
  const people = await Promise.all(Array.from({ length: 11 }, () => visitor()))
  for (const person of people) await redeem(person, key)
  const headers = { cookie: `${admin.cookie}; page-size=10` }
  const first = await (await admin.page(`${CODES_PATH}?uses=${id}`, { headers })).text()
  const next = /href="([^"]*)&amp;lp=2"/.exec(first)![1]
  const second = await (await admin.page(`${next}&lp=2`, { headers })).text()
  const shown = (html: string) => people.filter(({ username }) => html.includes(`keyword=${username}"`)).length
  expect([shown(first), shown(second)]).toEqual([10, 1])
})

test('a code is disabled, enabled and deleted by its name', async () => {
  const { id } = await newRow({ name: 'to delete' })
  const turned = [2, 1].map(String)
  for (const status of turned) {
    const response = await admin.form(`${CODES_PATH}/${id}/switch`, { status })
    expect([toastOf(response), (await rowOf(id)).status]).toEqual([
      `${status === '2' ? 'Disabled' : 'Enabled'} to delete`,
      Number(status),
    ])
  }
  const wrong = await admin.form(`${CODES_PATH}/${id}/delete`, { confirm: 'other' })
  expect([wrong.status, (await wrong.text()).includes('Type “to delete” to confirm')]).toEqual([422, true])
  expect(toastOf(await admin.form(`${CODES_PATH}/${id}/delete`, { confirm: 'to delete' }))).toBe('Deleted 1 code')
  expect((await root.get(`/api/redemption/${id}`)).status).toBe(404)
})

test('selected codes are copied, disabled without the used ones, and deleted by their number', async () => {
  const keys = await newCodes({ name: 'selected', quota: 1, count: 3 })
  await redeem(ann, keys[0])
  const last = (await latest()).id
  const ids = [last - 2, last - 1, last].map(String)
  const apply = (action: string, selected: string[] = ids) =>
    admin.form(`${CODES_PATH}/selected`, { 'ids[]': selected, action })
  expect(toastOf(await apply('disable', []))).toBe('Please select redemption codes first')
  const [status, location] = located(await apply('copy'))
  const shown = await (await admin.page(String(location))).text()
  expect([status, keys.filter(key => !shown.includes(key))]).toEqual([303, []])
  expect(toastOf(await apply('disable'))).toBe(
    'Disabled 2 codes; 1 left as they were: only unused codes can be disabled',
  )
  expect(located(await apply('delete'))).toEqual([303, `${CODES_PATH}?delete=${ids.join('%2C')}`])
  expect((await admin.form(`${CODES_PATH}/${ids.join(',')}/delete`, { confirm: '2' })).status).toBe(422)
  expect(toastOf(await admin.form(`${CODES_PATH}/${ids.join(',')}/delete`, { confirm: '3' }))).toBe('Deleted 3 codes')
})

test('deletion by name asks for the name, counts, and asks for the number', async () => {
  await newCodes({ name: 'by name', count: 2 })
  const count = (name: string) => admin.form(`${CODES_PATH}/count-by-name`, { name })
  const refusals = [
    [' ', 'Please enter a name'],
    ['by nam', 'No code is named “by nam”'],
  ] as const
  for (const [name, message] of refusals) {
    const response = await count(name)
    expect([response.status, (await response.text()).includes(message)]).toEqual([422, true])
  }
  expect(located(await count('by name'))).toEqual([303, `${CODES_PATH}?named=by+name`])
  expect((await textOf('?named=by+name')).includes('Delete 2 codes named by name?')).toBe(true)
  const remove = (confirm: string) => admin.form(`${CODES_PATH}/delete-by-name?named=by+name`, { confirm })
  expect((await remove('3')).status).toBe(422)
  expect(toastOf(await remove('2'))).toBe('Deleted 2 codes')
  expect((await textOf('?named=by+name', 'zh')).includes('没有名称为“by name”的兑换码')).toBe(true)
})

test('disabled and used codes are deleted together once their number is typed', async () => {
  await admin.delete('/api/redemption/delete-disabled')
  expect((await textOf('?delete_disabled')).includes('No code is disabled or used')).toBe(true)
  const { id } = await newRow({ name: 'done' })
  await admin.put('/api/redemption/batch-disable', { ids: [id] })
  expect((await textOf('?delete_disabled')).includes('Delete 1 disabled or used code?')).toBe(true)
  expect((await admin.form(`${CODES_PATH}/delete-disabled`, { confirm: '' })).status).toBe(422)
  expect(toastOf(await admin.form(`${CODES_PATH}/delete-disabled`, { confirm: '1' }))).toBe('Deleted 1 code')
})

test('a search shows what it finds, and its export the same', async () => {
  await newCode({ name: 'needle' })
  const page = await textOf('?keyword=need')
  expect([page.includes('needle'), page.includes('export.csv?keyword=need')]).toEqual([true, true])
  const csv = await (await admin.page(`${CODES_PATH}/export.csv?keyword=need`)).text()
  expect(csv.trim().split('\r\n')).toHaveLength(2)
  expect((await textOf('?keyword=nothing')).includes('No code has a name that starts with “nothing”')).toBe(true)
})

test('a list of several pages leads from one to the other, with its search', async () => {
  await newCodes({ name: 'many', count: 21 })
  const leads = async (query: string, to: string) => (await textOf(query)).includes(`href="${CODES_PATH}?${to}"`)
  expect(await leads('?keyword=many', 'keyword=many&amp;p=2')).toBe(true)
  expect(await leads('?keyword=many&p=2', 'keyword=many')).toBe(true)
})
