/** The screens of docs/screens.md, in the order of the menus. */
import {
  ask,
  chooseType,
  finished,
  openBudgets,
  openCall,
  openKey,
  openMessage,
  openOrder,
  openReceipt,
  openStatement,
  openTask,
  showBudgets,
} from './acts.ts'
import { chosenTypes } from './chosen-types.ts'
import { firstScreens } from './first-screens.ts'
import type { Screen } from './screen.ts'
import { settingsScreens } from './settings-screens.ts'

export { FOUNDER, type Reader, type Screen } from './screen.ts'

const EXPLORER = '/app/dashboard?range=7d&as=table&rows=model&split=token'

export const screens: Screen[] = [
  ...firstScreens,
  {
    ...{ name: 'home', title: 'Home', path: '/', reader: 'visitor' },
    works:
      'Base URL with copy, snippets for curl, Python and Node, prices of all models with search. Operators replace it by Markdown, HTML or a page of their own.',
  },
  {
    ...{ name: 'pricing', title: 'Pricing', path: '/pricing', reader: 'visitor' },
    works:
      'Each model’s prices in a group, its context and the success of its attempts in 24 hours; tiers, search, filters, sorting, copied names.',
  },
  {
    ...{ name: 'availability', title: 'Status', path: '/status', reader: 'visitor' },
    works:
      'Availability and median time to first token of each served model over 90 days, from real calls; an unknown address while its option is off.',
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
    ...{ name: 'api-docs', title: 'API documentation', path: '/docs/api', reader: 'visitor' },
    works:
      'Base URLs, set-ups of 14 clients, every operation with rights, fields and an example, search, “Try it”; the document itself is at `/openapi.json`.',
  },
  {
    ...{ name: 'not-found', title: 'A page that does not exist', path: '/nowhere', reader: 'visitor', status: 404 },
    works: 'Says so in the reader’s language and leads home.',
  },
  {
    ...{ name: 'palette', title: 'Search and go to', path: '/palette?q=us', reader: 'root' },
    works:
      'Ctrl K on every page: pages, channels, users, API keys, models, request ids, theme and language; a page of its own without JavaScript. `?` lists the shortcuts.',
  },
  {
    ...{ name: 'shortcuts', title: 'Shortcuts', path: '/palette/shortcuts', reader: 'user' },
    works: 'Every shortcut; single keys are switched on and off.',
  },
  {
    ...{ name: 'playground', title: 'Playground', path: '/playground', reader: 'user' },
    works:
      'Conversation with streaming, stop, retry, edit, images, thinking, two models side by side, receipts, request as code, export; kept in the browser.',
    act: ask,
  },
  {
    ...{ name: 'make', title: 'Make pictures, songs and videos', path: '/playground/make', reader: 'user' },
    works: 'A picture, a song or a video as a task of the chosen group: progress, the file, cost, reason and refund.',
  },
  {
    ...{ name: 'chat', title: 'Chat', path: '/chat', reader: 'user' },
    works:
      'A chat site of the operator in a frame, with the first enabled API key, after a consent that names the site.',
  },
  {
    ...{ name: 'dashboard', title: 'Dashboard', path: '/app/dashboard', reader: 'user' },
    works: 'Spending, calls, tokens and failures by hour, day or week; by model, API key and group.',
  },
  {
    ...{ name: 'dashboard-site', title: 'Dashboard of the site', path: '/app/dashboard?range=7d', reader: 'root' },
    works: 'The same of all users, with cache hits and what keeping conversations on one channel has saved.',
  },
  {
    ...{ name: 'usage-explorer', title: 'Usage explorer', path: EXPLORER, reader: 'user' },
    works:
      'Rows by model, API key, group, user, channel or period on two levels: calls, failures, tokens by kind, cost; sorting, CSV, links to the calls.',
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
    ...{ name: 'token-key', title: 'An API key in use', path: '/app/tokens?keys=', reader: 'user' },
    works:
      'The key with snippets for curl, Python, Node, Anthropic’s SDK, Claude Code, Codex CLI, Cursor and Cherry Studio, and the way to the other clients; “Send it” shows the receipt.',
    act: openKey,
  },
  {
    ...{ name: 'token-edit', title: 'Edit an API key', path: '/app/tokens?edit=', reader: 'user' },
    works:
      'Quota, expiry, limits; budgets by amount and window with what is used, held and left of each, and when it opens again.',
    act: openBudgets,
  },
  {
    ...{ name: 'usage-log', title: 'Usage log', path: '/app/logs/api-usage', reader: 'user' },
    works: 'Chips, filters as a sentence, saved filters, pulse, live entries, receipts, columns, CSV.',
  },
  {
    ...{ name: 'receipt', title: 'Receipt', path: '/app/logs/api-usage?model_name=claude-opus-4-8', reader: 'user' },
    works:
      'The bill of a call line by line with its route and timing; copy and print, the call as curl or in the playground.',
    act: openReceipt,
  },
  {
    ...{ name: 'call', title: 'A call', page: '/admin/calls/:request_id', reader: 'root' },
    path: '/app/logs/api-usage?type=2&model_name=claude-sonnet-4-6',
    works:
      'Where its time went, attempt by attempt; why this channel, with every candidate; the errors and the limits it met. Users see their own calls without channels.',
    act: openCall,
  },
  {
    ...{ name: 'own-call', title: 'A call of one’s own', page: '/app/calls/:request_id', reader: 'user' },
    path: '/app/logs/api-usage?type=2&model_name=claude-sonnet-4-6',
    works: 'Where its time went and the limits it met, without channels.',
    act: openCall,
  },
  {
    ...{ name: 'drawings', title: 'Drawings', path: '/app/logs/drawing', reader: 'root' },
    works:
      'Drawings with state, progress, time, cost and refund; filters, columns, CSV; more rows when the last is reached, unfinished ones refresh.',
    act: page => finished(page, 'Imagine'),
  },
  {
    ...{ name: 'drawing-open', title: 'A drawing', path: '/app/logs/drawing', reader: 'root' },
    works:
      'The picture with zoom by buttons, wheel and keys, its neighbours by arrows; facts, prompts, buttons, bill, raw answer.',
    act: page => openTask(page, 'Imagine'),
  },
  {
    ...{ name: 'tasks', title: 'Tasks', path: '/app/logs/tasks', reader: 'root' },
    works: 'Songs, lyrics and videos in the same way; administrators see user and channel.',
    act: page => finished(page, 'Song'),
  },
  {
    ...{ name: 'task-open', title: 'A song', path: '/app/logs/tasks', reader: 'root' },
    works: 'Songs and videos play; lyrics, facts, bill, raw answer. Administrators ask at once, or fail with a refund.',
    act: page => openTask(page, 'Song'),
  },
  {
    ...{ name: 'wallet', title: 'Wallet', path: '/app/wallet', reader: 'user' },
    works:
      'Balance, budgets of the account with what is left, redemption of codes, online top-up with the payable amount, orders with receipts.',
  },
  {
    ...{ name: 'order', title: 'An order', path: '/app/wallet', reader: 'user' },
    works: 'State of an online top-up, and its receipt once it is paid.',
    act: openOrder,
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
    ...{ name: 'message', title: 'A message', path: '/app/inbox', page: '/app/inbox/:id', reader: 'user' },
    works: 'The text as its author formatted it.',
    act: openMessage,
  },
  {
    ...{ name: 'me', title: 'Personal settings', path: '/app/me', reader: 'user' },
    works:
      'Profile, password, ways to sign in, models, access token, deletion; tabs of notifications, prices and rewards.',
  },
  {
    ...{ name: 'security', title: 'Security', path: '/app/me/security', reader: 'user' },
    works: 'Password, authenticator app, passkeys, recovery codes, signed-in devices.',
  },
  {
    ...{ name: 'confirm', title: 'Confirmation', path: '/app/me/confirm', reader: 'user' },
    works: 'Asks for password, code or passkey again before what changes an account’s security.',
  },
  {
    ...{ name: 'channels', title: 'Channels', path: '/admin/channels', reader: 'root' },
    works: 'Search, tags, columns, batches, copies, tests with progress, balances, priorities and weights in place.',
  },
  {
    ...{ name: 'channel-edit', title: 'Edit a channel', path: '/admin/channels?edit=2', reader: 'root' },
    works: 'Only changed fields are saved; keys one by one, state, test.',
  },
  {
    ...{ name: 'channel-budgets', title: 'Budgets of a channel', path: '/admin/channels?edit=2', reader: 'root' },
    works: 'What is used, held and left of each, and when it opens again; a channel without room is passed over.',
    act: showBudgets,
  },
  {
    ...{ name: 'channel-report', title: 'A channel’s report', path: '/admin/channels/2/report', reader: 'root' },
    works: 'Seven days by hour: success, p50 and p95, breaker, keys, last failures, disablings, share of traffic.',
  },
  {
    ...{ name: 'channel-history', title: 'A channel’s history', path: '/admin/channels/2/history', reader: 'root' },
    works: '90 days by day, hour and model: success, first token p50 and p95, errors by kind, cooldowns, disablings.',
  },
  {
    ...{ name: 'diagnostics', title: 'Diagnostics', path: '/admin/diagnostics', reader: 'root' },
    works: 'Nodes, database, Redis, backup, jobs with “run now”, last warnings, caches; audit, support bundle.',
  },
  {
    ...{
      name: 'route-finder',
      title: 'Route finder',
      path: '/admin/routes?group=default&model=gpt-4o',
      reader: 'root',
    },
    works: 'For a group and a model: channels in the order in which they are tried, and why the others are not.',
  },
  {
    ...{ name: 'channel-new', title: 'Add a channel', path: '/admin/channels?new=', reader: 'root' },
    works: 'Provider first, fields by type, key list, model picker, mapping as rows, test before saving.',
  },
  ...chosenTypes.map(
    ({ name, title, type }): Screen => ({
      ...{ name, title, path: '/admin/channels?new=', reader: 'root' },
      works: 'The fields of this type alone: parts of the key, addresses to choose from, its own settings.',
      act: page => chooseType(page, type),
    }),
  ),
  {
    ...{ name: 'codes', title: 'Redemption codes', path: '/admin/coupons', reader: 'root' },
    works:
      'Search by name, code or its last four, filter by state, up to 100 at once, gift codes, validity, disable, delete by name, uses, CSV.',
  },
  {
    ...{ name: 'orders', title: 'Orders', path: '/admin/orders', reader: 'root' },
    works:
      'Top-up orders of all users, totals that filter them, CSV, payments that fit no order, credit or dismissal by root.',
  },
  {
    ...{ name: 'stray-payments', title: 'Payments without an order', path: '/admin/orders/stray', reader: 'root' },
    works: 'What a gateway reported and no order expects; root credits or dismisses each.',
  },
  {
    ...{ name: 'messages', title: 'Messages', path: '/admin/messages', reader: 'root' },
    works: 'Search, drafts in Markdown or HTML with preview, recipients, read status.',
  },
  {
    ...{ name: 'users', title: 'Users', path: '/admin/users', reader: 'root' },
    works:
      'Search, filters, sort by balance, spending, calls and last seen, roles, groups, API keys, devices, ledger, batches, CSV.',
  },
  {
    ...{ name: 'user-edit', title: 'Edit a user', path: '/admin/users?edit=2', reader: 'root' },
    works: 'Name, group, calls at the same time, tokens per minute, a limit per period, budgets, balance, bindings.',
    act: showBudgets,
  },
  {
    ...{ name: 'user-statement', title: 'Statement of a user', path: '/admin/users', reader: 'root' },
    page: '/admin/users/:id/statement',
    works: 'The statement as the user sees it, with the calls of a day.',
    act: openStatement,
  },
  ...settingsScreens,
  {
    ...{ name: 'audit', title: 'Audit log', path: '/admin/audit', reader: 'root' },
    works: 'Every administrative change in words: who, what, before, after, from where; search, undo, CSV.',
  },
]
