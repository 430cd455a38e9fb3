/** Menu entries by role and by the options of the installation. */
import Activity from 'lucide/dist/esm/icons/activity.mjs'
import Banknote from 'lucide/dist/esm/icons/banknote.mjs'
import BookText from 'lucide/dist/esm/icons/book-text.mjs'
import ChartColumn from 'lucide/dist/esm/icons/chart-column.mjs'
import Clapperboard from 'lucide/dist/esm/icons/clapperboard.mjs'
import FileClock from 'lucide/dist/esm/icons/file-clock.mjs'
import Images from 'lucide/dist/esm/icons/images.mjs'
import KeyRound from 'lucide/dist/esm/icons/key-round.mjs'
import Megaphone from 'lucide/dist/esm/icons/megaphone.mjs'
import MessageCircle from 'lucide/dist/esm/icons/message-circle.mjs'
import MessageSquareText from 'lucide/dist/esm/icons/message-square-text.mjs'
import Route from 'lucide/dist/esm/icons/route.mjs'
import ScrollText from 'lucide/dist/esm/icons/scroll-text.mjs'
import SlidersHorizontal from 'lucide/dist/esm/icons/sliders-horizontal.mjs'
import Ticket from 'lucide/dist/esm/icons/ticket.mjs'
import UserRound from 'lucide/dist/esm/icons/user-round.mjs'
import UsersRound from 'lucide/dist/esm/icons/users.mjs'
import WalletDrawing from 'lucide/dist/esm/icons/wallet.mjs'
import Waypoints from 'lucide/dist/esm/icons/waypoints.mjs'
import { Role } from '../../src/contracts/account.ts'
import { API_DOCS_PATH } from '../../src/contracts/api-docs.ts'
import { AVAILABILITY_PATH } from '../../src/contracts/availability.ts'
import { chatEntries, isChatSite } from '../../src/contracts/chat.ts'
import { DIAGNOSTICS_PATH } from '../../src/contracts/diagnostics.ts'
import { ROUTES_PATH } from '../../src/contracts/route-preview.ts'
import { taskLogPaths } from '../../src/contracts/task-list.ts'
import type { Visit } from '../../src/contracts/visit.ts'
import type { Translate } from '../../src/locales/translator.ts'

export interface MenuEntry {
  href: string
  label: string
  icon?: typeof KeyRound
  /** Number of things that are stopped behind the entry, and the same in words. */
  stopped?: { count: number; label: string }
}

export interface MenuSection {
  title?: string
  entries: MenuEntry[]
}

export function sidebarSections({ caller, status, closed_channels }: Visit, t: Translate): MenuSection[] {
  if (!caller) return []
  const chats = chatEntries(status)
    .filter(isChatSite)
    .map(({ id, name }) => ({ href: `/chat/${id}`, label: name, icon: MessageCircle }))
  const console = [
    status.enable_data_export && { href: '/app/dashboard', label: t('shell.dashboard'), icon: ChartColumn },
    { href: '/app/tokens', label: t('shell.tokens'), icon: KeyRound },
    { href: '/app/logs/api-usage', label: t('shell.usage_log'), icon: ScrollText },
    status.enable_drawing && { href: taskLogPaths.drawing, label: t('task.drawings'), icon: Images },
    status.enable_task && { href: taskLogPaths.tasks, label: t('task.tasks'), icon: Clapperboard },
  ]
  const stopped = closed_channels
    ? { count: closed_channels, label: t('shell.closed_channels', { count: closed_channels }) }
    : undefined
  const admin = [
    { href: '/admin/channels', label: t('shell.channels'), icon: Waypoints, stopped },
    { href: ROUTES_PATH, label: t('route.title'), icon: Route },
    { href: '/admin/coupons', label: t('shell.coupons'), icon: Ticket },
    { href: '/admin/orders', label: t('shell.orders'), icon: Banknote },
    { href: '/admin/messages', label: t('shell.messages'), icon: Megaphone },
    { href: '/admin/users', label: t('shell.users'), icon: UsersRound },
    { href: '/admin/settings', label: t('shell.settings'), icon: SlidersHorizontal },
    { href: DIAGNOSTICS_PATH, label: t('diagnostics.title'), icon: Activity },
    caller.role >= Role.root && { href: '/admin/audit', label: t('shell.audit'), icon: FileClock },
  ]
  const personal = [
    { href: '/app/wallet', label: t('shell.wallet'), icon: WalletDrawing },
    { href: '/app/statement', label: t('shell.statement'), icon: BookText },
    { href: '/app/me', label: t('shell.me'), icon: UserRound },
  ]
  return [
    { entries: [{ href: '/playground', label: t('shell.playground'), icon: MessageSquareText }, ...chats] },
    { title: t('shell.console'), entries: console.filter(entry => entry !== false) },
    ...(caller.role >= Role.admin
      ? [{ title: t('shell.admin'), entries: admin.filter(entry => entry !== false) }]
      : []),
    { title: t('shell.personal'), entries: personal },
  ]
}

/** The operator's documentation, else that of the API. */
export const docsAt = ({ docs_link }: Visit['status']): string => docs_link || API_DOCS_PATH

export function topbarEntries({ caller, status }: Visit, t: Translate): MenuEntry[] {
  return [
    { href: '/', label: t('shell.home') },
    ...(caller ? [{ href: '/app/tokens', label: t('shell.console') }] : []),
    { href: '/pricing', label: t('shell.pricing') },
    ...(status.status_page_enabled ? [{ href: AVAILABILITY_PATH, label: t('availability.title') }] : []),
    { href: docsAt(status), label: t('shell.docs') },
    { href: '/about', label: t('shell.about') },
  ]
}
