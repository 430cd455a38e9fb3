/** Addresses of the inbox and of the message administration. */
import { addressOf } from '../../src/contracts/list-address.ts'

export const INBOX_PATH = '/app/inbox'

export const inboxAt = (page: number): string => (page > 1 ? `${INBOX_PATH}?p=${page}` : INBOX_PATH)

export const MESSAGES_PATH = '/admin/messages'

export interface MessagesView {
  page?: number
  keyword?: string
  /** Days such as 2026-11-20 in the reader's zone, both included. */
  start_date?: string
  end_date?: string
}

/** The drawer for a new message, or the drawer (with its page of recipients) or dialog of the message with this id. */
type Over = 'new' | { edit: number; recipients?: number } | { delete: number }

export const messagesAt = (view: MessagesView, over?: Over): string => addressOf(MESSAGES_PATH, view, over)

export const exportMessagesAt = (view: MessagesView): string =>
  addressOf(`${MESSAGES_PATH}/export.csv`, { ...view, page: 1 })

/** Target of a form: `3`, `3/delete`, `preview`. The view, and what lies over it, is shown again with the response. */
export const messagesAction = (view: MessagesView, action: string, over?: Over): string =>
  addressOf(`${MESSAGES_PATH}/${action}`, view, over)
