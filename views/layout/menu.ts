/** Menu entries by role and by the options of the installation. */
import Banknote from 'lucide-react/icons/banknote'
import BookText from 'lucide-react/icons/book-text'
import ChartColumn from 'lucide-react/icons/chart-column'
import FileClock from 'lucide-react/icons/file-clock'
import KeyRound from 'lucide-react/icons/key-round'
import Megaphone from 'lucide-react/icons/megaphone'
import MessageCircle from 'lucide-react/icons/message-circle'
import MessageSquareText from 'lucide-react/icons/message-square-text'
import ScrollText from 'lucide-react/icons/scroll-text'
import SlidersHorizontal from 'lucide-react/icons/sliders-horizontal'
import Ticket from 'lucide-react/icons/ticket'
import UserRound from 'lucide-react/icons/user-round'
import UsersRound from 'lucide-react/icons/users'
import WalletDrawing from 'lucide-react/icons/wallet'
import Waypoints from 'lucide-react/icons/waypoints'
import { Role } from '../../src/contracts/account.ts'
import { chatEntries, isChatSite } from '../../src/contracts/chat.ts'
import type { Visit } from '../../src/contracts/visit.ts'
import type { Translate } from '../../src/locales/translator.ts'

export interface MenuEntry {
  href: string
  label: string
  icon?: typeof KeyRound
}

export interface MenuSection {
  title?: string
  entries: MenuEntry[]
}

export function sidebarSections({ caller, status }: Visit, t: Translate): MenuSection[] {
  if (!caller) return []
  const chats = chatEntries(status)
    .filter(isChatSite)
    .map(({ id, name }) => ({ href: `/chat/${id}`, label: name, icon: MessageCircle }))
  const console = [
    status.enable_data_export && { href: '/app/dashboard', label: t('shell.dashboard'), icon: ChartColumn },
    { href: '/app/tokens', label: t('shell.tokens'), icon: KeyRound },
    { href: '/app/logs/api-usage', label: t('shell.usage_log'), icon: ScrollText },
  ]
  const admin = [
    { href: '/admin/channels', label: t('shell.channels'), icon: Waypoints },
    { href: '/admin/coupons', label: t('shell.coupons'), icon: Ticket },
    { href: '/admin/orders', label: t('shell.orders'), icon: Banknote },
    { href: '/admin/messages', label: t('shell.messages'), icon: Megaphone },
    { href: '/admin/users', label: t('shell.users'), icon: UsersRound },
    { href: '/admin/settings', label: t('shell.settings'), icon: SlidersHorizontal },
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

export function topbarEntries({ caller, status }: Visit, t: Translate): MenuEntry[] {
  return [
    { href: '/', label: t('shell.home') },
    ...(caller ? [{ href: '/app/tokens', label: t('shell.console') }] : []),
    { href: '/pricing', label: t('shell.pricing') },
    ...(status.docs_link ? [{ href: status.docs_link, label: t('shell.docs') }] : []),
    { href: '/about', label: t('shell.about') },
  ]
}
