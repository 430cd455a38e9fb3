/** All options, in the order of the settings page. */
import { branding } from './branding.ts'
import { chats } from './chats.ts'
import { checkIn } from './check-in.ts'
import { claude } from './claude.ts'
import { dashboard } from './dashboard.ts'
import type { OptionDeclaration, Options, Section, ValueOf } from './declare.ts'
import { drawing } from './drawing.ts'
import { email } from './email.ts'
import { fallbackPricing } from './fallback-pricing.ts'
import { firstToken } from './first-token.ts'
import { gemini } from './gemini.ts'
import { general } from './general.ts'
import { github } from './github.ts'
import { humanCheck } from './human-check.ts'
import { linuxDo } from './linux-do.ts'
import { logging } from './logging.ts'
import { monitoring } from './monitoring.ts'
import { oidc } from './oidc.ts'
import { operation } from './operation.ts'
import { payment } from './payment.ts'
import { prices } from './prices.ts'
import { quota } from './quota.ts'
import { rateLimit } from './rate-limit.ts'
import { rebate } from './rebate.ts'
import { relay } from './relay.ts'
import { sensitiveWords } from './sensitive-words.ts'
import { signIn } from './sign-in.ts'
import { smtp } from './smtp.ts'
import { telegram } from './telegram.ts'
import { wechat } from './wechat.ts'

const all = [
  operation,
  quota,
  firstToken,
  logging,
  sensitiveWords,
  drawing,
  dashboard,
  monitoring,
  checkIn,
  rebate,
  chats,
  prices,
  rateLimit,
  gemini,
  claude,
  relay,
  fallbackPricing,
  general,
  payment,
  signIn,
  email,
  smtp,
  oidc,
  github,
  linuxDo,
  wechat,
  telegram,
  humanCheck,
  branding,
]

type Merged<T> = (T extends unknown ? (one: T) => void : never) extends (all: infer All) => void ? All : never
type Catalog = Merged<(typeof all)[number]['options']>
export type OptionKey = keyof Catalog & string
export type OptionValue<Key extends OptionKey> = ValueOf<Catalog[Key]>

export const sections = all as unknown as Section<Options>[]

/** Each option by its key, with its section. */
export const catalog = Object.fromEntries(
  sections.flatMap(section =>
    Object.entries(section.options).map(([key, option]) => [
      key,
      { ...option, root: option.root ?? section.root, section },
    ]),
  ),
) as Record<OptionKey, OptionDeclaration<unknown> & { section: Section<Options> }>

export const optionKeys = Object.keys(catalog) as OptionKey[]

/** Options whose values are sealed. */
export const secretKeys = optionKeys.filter(key => catalog[key].secret)

export const isOptionKey = (key: string): key is OptionKey => Object.hasOwn(catalog, key)
