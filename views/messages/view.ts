/** Addresses of the inbox and of the message administration. */

import { listAddress, rowId, rowIds, shown, type ViewOf } from '../../src/contracts/list-address.ts'
import { rangeFields } from '../../src/contracts/log.ts'
import { INBOX_PATH } from '../../src/contracts/message.ts'
import { optional } from '../../src/contracts/paging.ts'

export const inboxAt = (page: number): string => (page > 1 ? `${INBOX_PATH}?p=${page}` : INBOX_PATH)

export const messagesAddress = listAddress(
  '/admin/messages',
  {
    keyword: optional,
    ...rangeFields,
  },
  {
    new: shown,
    /** Recipients of the new message. */
    user_ids: rowIds,
    edit: rowId,
    /** Page of the edited message's recipients. */
    recipients: optional,
    delete: rowId,
  },
)
export type MessagesView = ViewOf<typeof messagesAddress>

export const { path: MESSAGES_PATH, at: messagesAt, action: messagesAction } = messagesAddress
