/** The screens of docs/screens.md, in the order of the menus. */
import type { Page } from 'playwright'

export type Reader = 'visitor' | 'user' | 'root'

export interface Screen {
  /** Name of its pictures. */
  name: string
  title: string
  /** Of the demo. */
  path: string
  reader: Reader
  /** What works on it. */
  works: string
  /** Of the response; 200 by default. */
  status?: number
  /** Brings the screen into the state that is pictured. */
  act?(page: Page): Promise<void>
}

export const screens: Screen[] = [
  {
    ...{ name: 'home', title: 'Home', path: '/', reader: 'visitor' },
    works:
      'Base URL with copy, snippets for curl, Python and Node, prices of all models with search. Operators replace it by Markdown, HTML or a page of their own.',
  },
  {
    ...{ name: 'pricing', title: 'Prices', path: '/pricing', reader: 'visitor' },
    works: 'Each model’s prices in a group, ratios, tiers, search, filters, simulation, copied names.',
  },
  {
    ...{ name: 'about', title: 'About', path: '/about', reader: 'visitor' },
    works: 'What the gateway serves, its version and its links; or the operator’s own text or page.',
  },
  {
    ...{ name: 'login', title: 'Sign in', path: '/login', reader: 'visitor' },
    works: 'Password, passkey and every connected provider; then an authenticator code where it is switched on.',
  },
  {
    ...{ name: 'register', title: 'Sign up', path: '/register', reader: 'visitor' },
    works: 'Account with a verification code by mail, invitation code, human check.',
  },
  {
    ...{ name: 'reset', title: 'Forgotten password', path: '/reset', reader: 'visitor' },
    works: 'Requests a link by mail; the link’s page sets and shows a new password.',
  },
  {
    ...{ name: 'dashboard', title: 'Dashboard', path: '/app/dashboard', reader: 'user' },
    works: 'Spending, calls, tokens and failures by hour, day or week; by model, API key and group; tables.',
  },
  {
    ...{ name: 'tokens', title: 'API keys', path: '/app/tokens', reader: 'user' },
    works: 'Search, columns, create, edit, disable, delete with undo, batches, CSV, chat links.',
  },
  {
    ...{ name: 'token-new', title: 'Create an API key', path: '/app/tokens?new=', reader: 'user' },
    works: 'Name, quota, expiry, group, model limits, IP limits, rate limit, several at once.',
  },
  {
    ...{ name: 'usage-log', title: 'Usage log', path: '/app/logs/api-usage', reader: 'user' },
    works: 'Chips, filters as a sentence, saved filters, pulse, live entries, receipts, columns, CSV.',
  },
  {
    ...{ name: 'wallet', title: 'Wallet', path: '/app/wallet', reader: 'user' },
    works: 'Balance, redemption of codes, online top-up with the payable amount, orders with receipts.',
  },
  {
    ...{ name: 'statement', title: 'Statement', path: '/app/statement', reader: 'user' },
    works: 'A month of credits and daily usage with the balance after each; CSV, print.',
  },
  {
    ...{ name: 'inbox', title: 'Inbox', path: '/app/inbox', reader: 'user' },
    works: 'Messages with an unread badge and previews; opening one marks it read.',
  },
  {
    ...{ name: 'me', title: 'Personal settings', path: '/app/me', reader: 'user' },
    works: 'Profile, check-in, invitations, connected accounts, security, devices, notifications, models, deletion.',
  },
  {
    ...{ name: 'security', title: 'Security', path: '/app/security', reader: 'user' },
    works: 'Password, authenticator app, passkeys, recovery codes, signed-in devices.',
  },
  {
    ...{ name: 'channels', title: 'Channels', path: '/admin/channels', reader: 'root' },
    works: 'Search, tags, columns, batches, copies, tests with progress, balances, priorities and weights in place.',
  },
  {
    ...{ name: 'channel-new', title: 'Add a channel', path: '/admin/channels?new=', reader: 'root' },
    works: 'Provider first, fields by type, key list, model picker, mapping as rows, test before saving.',
  },
  {
    ...{ name: 'codes', title: 'Redemption codes', path: '/admin/coupons', reader: 'root' },
    works: 'Search, up to 100 at once, gift codes, validity, disable, delete by name, uses, CSV.',
  },
  {
    ...{ name: 'orders', title: 'Orders', path: '/admin/orders', reader: 'root' },
    works: 'Top-up orders of all users, payments that fit no order, credit or dismissal by root.',
  },
  {
    ...{ name: 'messages', title: 'Messages', path: '/admin/messages', reader: 'root' },
    works: 'Search, drafts in Markdown or HTML with preview, recipients, read status.',
  },
  {
    ...{ name: 'users', title: 'Users', path: '/admin/users', reader: 'root' },
    works: 'Search, roles, groups, balances, API keys, devices, ledger, batches, CSV.',
  },
  {
    ...{ name: 'audit', title: 'Audit log', path: '/admin/audit', reader: 'root' },
    works: 'Every administrative change: who, what, before, after, from where; search, CSV.',
  },
]
