// @engine sqlite
/** Rows and drawers of the token and channel lists as HTML. */
import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { Role } from '../../src/contracts/account.ts'
import { ChannelStatus } from '../../src/contracts/channel.ts'
import { TokenStatus } from '../../src/contracts/token.ts'
import { db } from '../../src/db/database.ts'
import { channels } from '../../src/domain/channels/table.ts'
import { setOptionAsSystem } from '../../src/domain/options/service.ts'
import { tokens } from '../../src/domain/tokens/table.ts'
import { type Person, visitor } from '../support/people/person.ts'
import { makeChannel } from '../support/upstream/channel.ts'

async function htmlOf(person: Person, path: string) {
  const html = await (await person.page(path)).text()
  return html.slice(html.indexOf('<main'), html.indexOf('</main>')).replaceAll('<!-- -->', '')
}

const textOf = (html: string) => html.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ')

/** The only row of a list. */
const rowOf = (html: string) => html.slice(html.indexOf('<tbody'), html.indexOf('</tbody>'))

const actionsIn = (html: string) => [...html.matchAll(/action="([^"]+)"/g)].map(([, action]) => action)

test('a token row shows quota, group, expiry and switch', async () => {
  const ann = await visitor()
  await setOptionAsSystem('GroupRatio', '{"default":0.5}')
  const { id } = (await ann.post('/api/token/', { name: 'laptop', model_limits_enabled: false })).data
  const become = (fields: Partial<typeof tokens.$inferInsert>) => db.update(tokens).set(fields).where(eq(tokens.id, id))
  await become({ remain_quota: 1_000_000, used_quota: 250_000, group: '', unlimited_quota: false })
  const open = rowOf(await htmlOf(ann, '/app/tokens'))
  expect(textOf(open)).toContain('Enabled $2.00 $0. 50 default ×0.5 Never Never')
  expect(open).toContain('aria-valuenow="1000000" aria-valuemin="0" aria-valuemax="1250000"')
  expect(open).not.toContain(`${id}/enable`)
  expect(actionsIn(open)).toContain(`/app/tokens/${id}/disable`)

  await become({ status: TokenStatus.exhausted, remain_quota: 0 })
  const empty = rowOf(await htmlOf(ann, '/app/tokens'))
  expect(textOf(empty)).toContain('Exhausted')
  expect(empty).toMatch(/<button type="button"[^>]*disabled=""[^>]*>Enable</)

  const edit = await htmlOf(ann, `/app/tokens?edit=${id}`)
  expect(edit).toContain('name="used_quota" value="250000"')
  for (const name of ['rate_limit_period', 'rate_limit_count', 'rate_limit_success', 'allow_ips', 'expired_time'])
    expect(edit.split(`name="${name}"`), name).toHaveLength(2)
  await become({ status: TokenStatus.disabled, group: 'lost' })
  const lost = await htmlOf(ann, `/app/tokens?edit=${id}`)
  expect(lost).toContain('<option value="lost" selected="">lost</option>')
  const [switching = ''] = /<form[^>]*id="token-switch"[^>]*>/.exec(lost) ?? []
  expect(switching).toContain(`action="/app/tokens/${id}/enable"`)

  const other = (await ann.post('/api/token/', { name: 'desk' })).data
  const keys = await htmlOf(ann, `/app/tokens?keys=${id},${other.id}`)
  expect(keys).toMatch(/<textarea[^>]*>\s*sk-\w{20,}\nsk-\w{20,}<\/textarea>/)
})

test('a channel row shows keys, switch, numbers to edit, and a usage link in its menu', async () => {
  const admin = await visitor(Role.admin)
  const { id } = await makeChannel(admin, { name: 'several', key: 'sk-a,sk-b,sk-c,sk-d', priority: 3, weight: 7 })
  const row = rowOf(await htmlOf(admin, '/admin/channels?keyword=several'))
  expect(textOf(row)).toContain('4 keys')
  expect(row).toMatch(/name="priority"[^>]*value="3"/)
  expect(row).toMatch(/name="weight"[^>]*value="7"/)
  const next = (html: string) => Number(/<button[^>]*name="status"[^>]*>/.exec(html)![0].match(/value="(\d)"/)![1])
  expect(next(row)).toBe(ChannelStatus.disabled)
  expect(await htmlOf(admin, `/admin/channels/${id}/menu`)).toContain(`/app/logs/api-usage?channel=${id}"`)
  const edit = await htmlOf(admin, `/admin/channels?edit=${id}`)
  expect(edit).toContain('+1')
  const few = await makeChannel(admin, { name: 'few', key: 'sk-a,sk-b,sk-c' })
  expect(await htmlOf(admin, `/admin/channels?edit=${few.id}`)).not.toContain('+0')
  expect(edit).not.toContain('set</span>')

  await db.update(channels).set({ status: ChannelStatus.disabled, tag: 'eu' }).where(eq(channels.id, id))
  expect(next(rowOf(await htmlOf(admin, '/admin/channels?keyword=several')))).toBe(ChannelStatus.enabled)
  expect(textOf(await htmlOf(admin, `/admin/channels?edit=${id}`))).toContain('1 set')
})
