/** Routes of the inbox of the signed-in user. */

import { z } from 'zod'
import { Bell } from '../../../views/messages/bell.tsx'
import { Inbox } from '../../../views/messages/inbox.tsx'
import { ReceivedMessage } from '../../../views/messages/message.tsx'
import { inboxAt } from '../../../views/messages/view.ts'
import { INBOX_PATH } from '../../contracts/message.ts'
import { Id, optional } from '../../contracts/paging.ts'
import { Refusal } from '../../contracts/refusal.ts'
import { listInbox, markAllRead, markRead, unreadCount } from '../../domain/messages/index.ts'
import { translator } from '../../locales/index.ts'
import { asRefusal } from '../../web/envelope.ts'
import { back, listPage, type PageRequest, pagingOf, redirectPastEnd } from '../list-page.ts'
import { redirectTo, render, renderPart } from '../page.tsx'
import { htmlOf, previewOf } from './content.ts'

const InboxQuery = z.object({ p: optional })
type InboxPage = PageRequest<z.output<typeof InboxQuery>>

const access = { userPage: 'signedIn', query: InboxQuery } as const

export const inboxPages = listPage(INBOX_PATH)
  .get('', showInbox, access)
  .get('/bell', async ({ visit }) => renderPart(visit, <Bell unread={visit.unread} />), access)
  .get('/:id', showMessage, { ...access, params: Id })
  .post('/read', readAll, access)

async function showInbox(page: InboxPage): Promise<Response> {
  const { request, visit, caller } = page
  const paging = pagingOf(page)
  const { items, ...list } = await listInbox(caller.id, paging).catch(error => {
    throw new Refusal('message.load_failed', {}, asRefusal(error, request).status)
  })
  const redirect = redirectPastEnd(paging, list.total, inboxAt)
  if (redirect) return redirect
  const rows = await Promise.all(items.map(async message => ({ ...message, preview: await previewOf(message) })))
  return render(request, visit, <Inbox list={{ ...list, items: rows }} unread={visit.unread} />, {
    title: translator(visit.language)('message.inbox'),
  })
}

/** Opening a message marks it as read; an unknown one leads back to the inbox. */
async function showMessage({ request, visit, caller, params }: InboxPage & { params: { id: number } }) {
  try {
    const message = await markRead(caller.id, params.id)
    const shown = { ...visit, unread: await unreadCount(caller.id) }
    return await render(request, shown, <ReceivedMessage {...message} html={await htmlOf(message)} />, {
      title: message.title,
    })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return redirectTo(INBOX_PATH, { kind: 'error', text: translator(visit.language)(error.code) })
  }
}

async function readAll(page: InboxPage): Promise<Response> {
  await markAllRead(page.caller.id)
  return back(page, 'message.all_read')
}
