/** What the next page shows first after a redirect: a toast, or a dialog by its name. A cookie carries it. */
import type { Notice } from '../../client/components/toast.tsx'
import { DefaultPassword } from '../../views/account/default-password.tsx'
import { localPath } from '../web/origin.ts'
import { cookieOf } from '../web/request.ts'

/** Dialogs that may lie over the page after a redirect. `close` is the address of that page. */
const dialogs = { 'default-password': DefaultPassword }

type DialogName = keyof typeof dialogs
export type NextNotice = Notice | { dialog: DialogName }

const COOKIE = 'notice'
const COOKIE_SECONDS = 60

const cookie = (value: string, seconds: number) =>
  `${COOKIE}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax`

export const noticeCookie = (notice: NextNotice) => cookie(encodeURIComponent(JSON.stringify(notice)), COOKIE_SECONDS)
export const clearedNotice = cookie('', 0)

/** @returns undefined when the cookie is absent or was not written here: it comes from the browser. */
export function noticeIn(request: Request): NextNotice | undefined {
  const { dialog, kind, text, request_id, undo } = parsed(cookieOf(request, COOKIE))
  if (typeof dialog === 'string' && Object.hasOwn(dialogs, dialog)) return { dialog: dialog as DialogName }
  if (typeof text !== 'string') return undefined
  const id = typeof request_id === 'string' ? request_id : undefined
  return { kind: kind === 'error' ? 'error' : 'success', text, request_id: id, undo: undoIn(undo) }
}

function undoIn(undo: unknown): Notice['undo'] {
  const { action, returnTo } = Object(undo)
  const path = localPath(action, '')
  return path ? { action: path, returnTo: localPath(returnTo, '/') } : undefined
}

function parsed(text = ''): Record<string, unknown> {
  try {
    return Object(JSON.parse(text))
  } catch {
    return {}
  }
}

export function NoticeDialog({ dialog, close }: { dialog: DialogName; close: string }) {
  const Dialog = dialogs[dialog]
  return <Dialog close={close} />
}
