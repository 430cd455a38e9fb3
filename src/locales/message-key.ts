/** The keys of all messages, typed by the English ones; the other languages have the same keys. */
import type { languages } from './languages.ts'

interface English {
  account: typeof import('./en/account.json')
  assist: typeof import('./en/assist.json')
  api_try: typeof import('./en/api_try.json')
  audit: typeof import('./en/audit.json')
  availability: typeof import('./en/availability.json')
  bill: typeof import('./en/bill.json')
  branding: typeof import('./en/branding.json')
  budget: typeof import('./en/budget.json')
  call: typeof import('./en/call.json')
  channel: typeof import('./en/channel.json')
  chat: typeof import('./en/chat.json')
  dashboard: typeof import('./en/dashboard.json')
  diagnostics: typeof import('./en/diagnostics.json')
  drawer: typeof import('./en/drawer.json')
  docs: typeof import('./en/docs.json')
  error: typeof import('./en/error.json')
  fetch: typeof import('./en/fetch.json')
  field: typeof import('./en/field.json')
  format: typeof import('./en/format.json')
  history: typeof import('./en/history.json')
  home: typeof import('./en/home.json')
  human: typeof import('./en/human.json')
  log: typeof import('./en/log.json')
  login: typeof import('./en/login.json')
  mail: typeof import('./en/mail.json')
  make: typeof import('./en/make.json')
  mapping: typeof import('./en/mapping.json')
  me: typeof import('./en/me.json')
  message: typeof import('./en/message.json')
  moving: typeof import('./en/moving.json')
  oauth: typeof import('./en/oauth.json')
  operation: typeof import('./en/operation.json')
  option: typeof import('./en/option.json')
  palette: typeof import('./en/palette.json')
  payment: typeof import('./en/payment.json')
  picker: typeof import('./en/picker.json')
  playground: typeof import('./en/playground.json')
  pricing: typeof import('./en/pricing.json')
  provider: typeof import('./en/provider.json')
  redemption: typeof import('./en/redemption.json')
  registration: typeof import('./en/registration.json')
  relay: typeof import('./en/relay.json')
  report: typeof import('./en/report.json')
  reset: typeof import('./en/reset.json')
  revision: typeof import('./en/revision.json')
  reward: typeof import('./en/reward.json')
  route: typeof import('./en/route.json')
  routes: typeof import('./en/routes.json')
  security: typeof import('./en/security.json')
  settings: typeof import('./en/settings.json')
  setup: typeof import('./en/setup.json')
  shell: typeof import('./en/shell.json')
  snippet: typeof import('./en/snippet.json')
  statement: typeof import('./en/statement.json')
  system: typeof import('./en/system.json')
  task: typeof import('./en/task.json')
  time: typeof import('./en/time.json')
  token: typeof import('./en/token.json')
  ui: typeof import('./en/ui.json')
  user: typeof import('./en/user.json')
  wallet: typeof import('./en/wallet.json')
}

/** A file of messages. */
export type Noun = keyof English

type PluralCategory = (typeof languages)['en']['plural'][number]

/** `calls_one` and `calls_other` are one message, `calls`, which takes a `count`. */
type WithoutPlural<Key> = Key extends `${infer Base}_${PluralCategory}` ? Base : Key

type KeysOf<N extends Noun> = Exclude<keyof English[N], 'default'> & string

/** `token.name_too_long` is a message of `<language>/token.json`. */
export type MessageKey = { [N in Noun]: `${N}.${WithoutPlural<KeysOf<N>>}` }[Noun]
