/** All options, in the order of the settings page. */
import type { SettingsTab } from '../../contracts/option.ts'
import { announcement, customCode, identity, pages } from './branding.ts'
import { chats } from './chats.ts'
import { checkIn } from './check-in.ts'
import { claude } from './claude.ts'
import { dashboard } from './dashboard.ts'
import type { OptionDeclaration, Options, Section, ValueOf } from './declare.ts'
import { drawing } from './drawing.ts'
import { email } from './email.ts'
import { fallbackModels } from './fallback-models.ts'
import { fallbackPricing } from './fallback-pricing.ts'
import { firstToken } from './first-token.ts'
import { gemini } from './gemini.ts'
import { server, worker } from './general.ts'
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
import { tryIt } from './try-it.ts'
import { updates } from './updates.ts'
import { wechat } from './wechat.ts'

const all = {
  operation,
  quota,
  firstToken,
  checkIn,
  rebate,
  prices,
  monitoring,
  logging,
  sensitiveWords,
  drawing,
  dashboard,
  chats,
  rateLimit,
  gemini,
  claude,
  relay,
  fallbackModels,
  fallbackPricing,
  server,
  worker,
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
  announcement,
  identity,
  pages,
  tryIt,
  customCode,
  updates,
}

type UnionToIntersection<T> = (T extends unknown ? (one: T) => void : never) extends (all: infer All) => void
  ? All
  : never
export type SectionName = keyof typeof all
type Catalog = UnionToIntersection<(typeof all)[SectionName]['options']>
export type OptionKey = keyof Catalog & string
export type OptionValue<Key extends OptionKey> = ValueOf<Catalog[Key]>

const sections = Object.entries(all) as unknown as [SectionName, Section<Options>][]

export const sectionNames = Object.keys(all) as SectionName[]

/** The sections of a tab, in order. */
export const sectionsOf = (tab: SettingsTab): SectionName[] =>
  sections.filter(([, section]) => section.tab === tab).map(([name]) => name)

export const tabOf = (section: SectionName): SettingsTab => all[section].tab

/** The options of a section, in order. */
export const keysOf = (section: SectionName) => Object.keys(all[section].options) as OptionKey[]

interface CatalogEntry extends OptionDeclaration<unknown> {
  section: Section<Options>
  section_name: SectionName
}

/** Each option by its key, with its section. */
export const catalog = Object.fromEntries(
  sections.flatMap(([section_name, section]) =>
    Object.entries(section.options).map(([key, option]) => [
      key,
      { ...option, root: option.root ?? section.root, section, section_name },
    ]),
  ),
) as Record<OptionKey, CatalogEntry>

export const optionKeys = Object.keys(catalog) as OptionKey[]

/** Options whose values are sealed. */
export const secretKeys = optionKeys.filter(key => catalog[key].secret)

export const isOptionKey = (key: string): key is OptionKey => Object.hasOwn(catalog, key)
