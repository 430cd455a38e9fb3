// @engine sqlite
// @tier long
/** Hostile names of users, tokens, channels, groups and provider accounts in a browser: on every page that shows them. */
import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { Role } from '../../src/contracts/account.ts'
import { ChannelStatus } from '../../src/contracts/channel.ts'
import { LogType } from '../../src/contracts/log.ts'
import { db } from '../../src/db/database.ts'
import { channels } from '../../src/domain/channels/table.ts'
import { redemptions } from '../../src/domain/redemption/table.ts'
import { tokens } from '../../src/domain/tokens/table.ts'
import { users } from '../../src/domain/users/table.ts'
import { listen } from '../support/app/app.ts'
import { setOption } from '../support/app/options.ts'
import { leave, PAGE_TEST_TIMEOUT_MS, problemsOf, visit } from '../support/browser/browser.ts'
import { type Person, setUp, visitor } from '../support/people/person.ts'
import { write } from '../support/people/usage-log.ts'
import { makeChannel } from '../support/upstream/channel.ts'

const RUN = 'window.ran=1'
/** One name that leaves an attribute, an element, a script, a title and a text area, and is a link of its own. */
const payload = [
  `javascript:${RUN}//`,
  `<img src=x class=planted onerror="${RUN}">`,
  `"><script class=planted>${RUN}</script>`,
  `'><svg class=planted onload=${RUN}>`,
  `</script></title></textarea><iframe class=planted srcdoc="<script>parent.ran=1</script>">`,
  `{{constructor.constructor('${RUN}')()}}\${${RUN}}`,
].join(' ')

test(
  'a hostile name runs nothing and adds no element, wherever it is shown',
  async () => {
    const [ann, admin] = [await visitor(), await visitor(Role.admin)]
    const { data: token } = await ann.post('/api/token/', { name: 'key' })
    const channel = await makeChannel(admin, { name: 'one', models: 'gpt-4o' })
    // Past the contracts, which refuse most of this: an import or a provider may bring it.
    const names = { username: payload, display_name: payload, group: payload, email: `${payload}@x.example` }
    const ids = { github_id: payload, oidc_id: payload, wechat_id: payload, telegram_id: payload }
    await db
      .update(users)
      .set({ ...names, ...ids })
      .where(eq(users.id, ann.id))
    await db.update(tokens).set({ name: payload }).where(eq(tokens.id, token.id))
    await db.update(channels).set({ name: payload, tag: payload }).where(eq(channels.id, channel.id))
    await write(ann, { username: payload, token_name: payload, model_name: payload, content: payload, group: payload })
    await setOption('SystemName', payload)
    const reason = JSON.stringify({ status_reason: payload, status_time: 1 })
    await db
      .update(channels)
      .set({ status: ChannelStatus.autoDisabled, other_info: reason })
      .where(eq(channels.id, channel.id))
    await write(ann, { type: LogType.error, channel: channel.id, content: payload })
    await admin.post('/api/redemption/', { name: 'code' })
    await db.update(redemptions).set({ name: payload })
    await setOption('Chats', JSON.stringify([{ [payload]: 'https://chat.example/?k={key}' }]))
    const root = await setUp()
    expect((await root.put('/api/channel/', { id: channel.id, priority: 4 })).message).toBe('')
    const search = encodeURIComponent('class=planted')
    const shownTo: [person: Person, paths: string[]][] = [
      [
        ann,
        [
          ...['/app/me', '/app/me/security', '/app/tokens', `/app/tokens?edit=${token.id}`, '/app/logs/api-usage'],
          ...['/playground', '/chat', `/palette?q=${search}`, '/docs/api'],
        ],
      ],
      [
        admin,
        [
          '/admin/users',
          ...['edit', 'delete', 'quota', 'ledger', 'tokens', 'devices'].map(name => `/admin/users?${name}=${ann.id}`),
          ...['/admin/messages?new', '/admin/channels', `/admin/channels?edit=${channel.id}`],
          ...[`/admin/channels/${channel.id}/report`, '/admin/routes?model=gpt-4o', '/admin/coupons'],
          ...['/admin/settings?tab=other', `/palette?q=${search}`, '/app/logs/api-usage'],
        ],
      ],
      [root, ['/admin/audit', '/admin/settings?tab=other&history=chats']],
    ]
    for (const [person, paths] of shownTo) {
      const page = await visit(person, paths[0]!)
      await page.context().addCookies([{ name: 'channel-tag-mode', value: 'true', url: listen() }])
      for (const path of person === admin
        ? [...paths, `/admin/channels?edit_tag=${encodeURIComponent(payload)}`]
        : paths) {
        await page.goto(path)
        const found = await page.evaluate(() => ({
          ran: 'ran' in window,
          planted: document.querySelectorAll('.planted').length,
          isShown: [...document.querySelectorAll('main, main input, main textarea')].some(element =>
            ((element as HTMLInputElement).value ?? element.textContent).includes('class=planted'),
          ),
          links: document.querySelectorAll('[href^="javascript" i], [src^="javascript" i]').length,
        }))
        const expected = { ran: false, planted: 0, isShown: path !== '/app/me/security', links: 0 }
        expect([path, found, problemsOf(page)]).toEqual([path, expected, []])
      }
      await leave(page)
    }
    await setOption('SystemName', 'Tollgate')
    await setOption('Chats', '[]')
    await db.delete(channels).where(eq(channels.id, channel.id))
  },
  PAGE_TEST_TIMEOUT_MS,
)
