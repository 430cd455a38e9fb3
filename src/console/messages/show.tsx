/** The page of sent messages as its address describes it: the list, and what is open over it. */
import type { ReactNode } from 'react'
import type { z } from 'zod'
import { ConfirmDelete } from '../../../views/messages/confirm-delete.tsx'
import { EditDrawer, NewDrawer } from '../../../views/messages/drawer.tsx'
import { SentMessages } from '../../../views/messages/messages.tsx'
import { Preview } from '../../../views/messages/preview.tsx'
import { Readers } from '../../../views/messages/readers.tsx'
import { RecipientPicker } from '../../../views/messages/recipient-picker.tsx'
import { type MessagesView, messagesAddress, messagesAt } from '../../../views/messages/view.ts'
import {
  MESSAGE_CONTENT_BYTES_MAX,
  type MessageFilter,
  PICKER_USERS_PER_PAGE,
  RECIPIENTS_PER_PAGE,
} from '../../contracts/message.ts'
import { pageOf } from '../../contracts/paging.ts'
import { findMessages, pickableUsers, recipientsOf, sentMessage, usernamesOf } from '../../domain/messages/index.ts'
import { groupNames } from '../../domain/pricing/index.ts'
import { now } from '../../process/clock.ts'
import { lastPage } from '../../pure/paging.ts'
import type { Zone } from '../../pure/time.ts'
import { type PageRequest, showList } from '../list-page.ts'
import { spanOf } from '../list-range.ts'
import { htmlOf } from './content.ts'
import { formOf, type MessageForm } from './form.ts'

export type MessagesPage = PageRequest<z.output<typeof messagesAddress.query>>

export const { viewOf } = messagesAddress

/** @param overlay a drawer over the list, in place of what the address opens */
export function show(page: MessagesPage, overlay?: ReactNode, status?: number): Promise<Response> {
  const view = viewOf(page.query)
  return showList(
    page,
    {
      title: 'message.messages',
      at: last => messagesAt({ ...view, page: last }),
      find: paging => findMessages(filterOf(view, page.visit.zone), paging),
      content: (list, overlay) => <SentMessages list={list} view={view} overlay={overlay} />,
      overlayOf,
    },
    overlay,
    status,
  )
}

export function filterOf({ keyword, ...range }: MessagesView, zone: Zone): MessageFilter {
  const { start_timestamp: start_date, end_timestamp: end_date } = spanOf(range, now(), zone)
  return { keyword, start_date, end_date }
}

async function overlayOf(page: MessagesPage): Promise<ReactNode> {
  const { query } = page
  if (query.delete) return <ConfirmDelete view={viewOf(query)} message={await sentMessage(query.delete)} />
  return query.new !== undefined || query.edit ? drawer(page) : undefined
}

/** The form of a new message or of the one that the address names, as stored or as it was sent. */
export async function drawer(page: MessagesPage, form?: MessageForm, errors: Record<string, string> = {}) {
  const { query } = page
  const view = viewOf(query)
  if (!query.edit) {
    const typed = form ?? { ...formOf(), user_ids: query.user_ids }
    return (
      <NewDrawer view={view} typed={typed} errors={errors} groups={groupNames()} preview={await preview(typed)}>
        {await picker(page, typed)}
      </NewDrawer>
    )
  }
  const message = await sentMessage(query.edit)
  const typed = form ?? formOf(message)
  return (
    <EditDrawer view={view} message={message} typed={typed} errors={errors} preview={await preview(typed)}>
      {await readers(page, message.id)}
    </EditDrawer>
  )
}

/** The content as it will be read. */
export async function preview({ content, format }: MessageForm) {
  const source = content.slice(0, MESSAGE_CONTENT_BYTES_MAX)
  return <Preview html={await htmlOf({ content: source, format: format === 'html' ? 'html' : 'markdown' })} />
}

/** A page of the users who can be chosen; the chosen ones of other pages stay chosen. */
export async function picker({ query }: MessagesPage, form: MessageForm) {
  const { user_ids, user_keyword, user_keyword_was } = form
  const keyword = user_keyword.trim()
  const wanted = keyword === user_keyword_was ? form.user_page : '1'
  const pageAt = (p: string) => pageOf({ p, size: String(PICKER_USERS_PER_PAGE) }, 1)
  let users = await pickableUsers(keyword, pageAt(wanted))
  const last = lastPage(PICKER_USERS_PER_PAGE, users.total)
  if (users.page > last) users = await pickableUsers(keyword, pageAt(String(last)))
  return <RecipientPicker view={viewOf(query)} users={users} keyword={keyword} chosen={await usernamesOf(user_ids)} />
}

/** A page of a message's recipients with the times when they read it. */
export async function readers({ query }: MessagesPage, message_id: number) {
  const paging = pageOf({ p: query.recipients, size: String(RECIPIENTS_PER_PAGE) }, 1)
  return <Readers view={viewOf(query)} message_id={message_id} list={await recipientsOf(message_id, paging)} />
}
