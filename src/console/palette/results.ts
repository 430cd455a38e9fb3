/** What the palette finds: pages and actions of the reader's menu, settings, things by name or id, and verbs with them. */

import FilePlus from 'lucide/dist/esm/icons/file-plus.mjs'
import KeyboardDrawing from 'lucide/dist/esm/icons/keyboard.mjs'
import LanguagesDrawing from 'lucide/dist/esm/icons/languages.mjs'
import PanelTop from 'lucide/dist/esm/icons/panel-top.mjs'
import ReceiptText from 'lucide/dist/esm/icons/receipt-text.mjs'
import SlidersHorizontal from 'lucide/dist/esm/icons/sliders-horizontal.mjs'
import SunMoon from 'lucide/dist/esm/icons/sun-moon.mjs'
import Ticket from 'lucide/dist/esm/icons/ticket.mjs'
import WalletDrawing from 'lucide/dist/esm/icons/wallet.mjs'
import { channelsAt } from '../../../views/channels/view.ts'
import { sidebarSections, topbarEntries } from '../../../views/layout/menu.ts'
import { logsAt } from '../../../views/logs/view.ts'
import { messagesAt } from '../../../views/messages/view.ts'
import type { PaletteGroup, PaletteItem } from '../../../views/palette/view.ts'
import { codesAt } from '../../../views/redemption/view.ts'
import { tokensAt } from '../../../views/tokens/view.ts'
import { usersAt } from '../../../views/users/view.ts'
import { walletAt } from '../../../views/wallet/view.ts'
import { Role, type SessionUser } from '../../contracts/account.ts'
import { PALETTE_PATH } from '../../contracts/palette.ts'
import type { Visit } from '../../contracts/visit.ts'
import { momentOfRequest } from '../../crypto/random-id.ts'
import { findRequest } from '../../domain/logs/index.ts'
import { catalog, labelOf, optionKeys } from '../../domain/options/index.ts'
import { type MessageKey, translator } from '../../locales/index.ts'
import { languageCodes, languages } from '../../locales/languages.ts'
import type { Translate } from '../../locales/translator.ts'
import { includes } from './suggestions.ts'
import { channelsOf, codesOf, modelsOf, type Search, type Thing, tagsOf, tokensOf, usersOf } from './things.ts'
import { commandIn, VERBS, type Verb, wordsIn } from './verbs.ts'

const FOUND_MAX = 5

/** Without a text: pages and actions. A verb with an object finds what the verb can be done with. */
export async function paletteResults(visit: Visit, caller: SessionUser, text: string): Promise<PaletteGroup[]> {
  const t = translator(visit.language)
  const search = { visit, caller, text, t }
  const { things, asked } = text ? await thingsFor(search) : { things: [] }
  const named = commands(search, things, asked)
  const allActions: [string, PaletteItem[]] = [t('palette.actions'), [...named, ...actions(search)]]
  // A name alone leads to what it names; what can be done with that comes after it.
  const isName = named.length > 0 && !asked
  const groups: [title: string, items: PaletteItem[] | undefined][] = [
    [t('palette.requests'), text ? await requests(search) : []],
    [t('palette.pages'), pages(search)],
    ...(isName ? [...things, allActions] : [allActions, ...things]),
    [t('shell.settings'), text ? settings(search) : undefined],
  ]
  return groups.flatMap(([title, items]) => (items?.length ? [{ title, items }] : []))
}

type ThingGroups = [title: string, things: Thing[]][]

/** A verb finds what it can be done with; where it finds nothing, its words are part of a name. */
async function thingsFor(search: Search): Promise<{ things: ThingGroups; asked?: Verb }> {
  const command = commandIn(search.text)
  if (command) {
    const { object, verb } = command
    const found = await thingsIn({ ...search, text: object })
    const things = found.map(([title, all]): ThingGroups[number] => [title, all.filter(({ verbs }) => verbs[verb])])
    if (things.some(([, all]) => all.length)) return { things, asked: verb }
  }
  return { things: await thingsIn(search) }
}

async function thingsIn(search: Search): Promise<ThingGroups> {
  const { t } = search
  const found = await Promise.all([
    tokensOf(search),
    channelsOf(search),
    tagsOf(search),
    usersOf(search),
    codesOf(search),
    modelsOf(search),
  ])
  const titles = [
    ...[t('shell.tokens'), t('shell.channels'), t('palette.tags'), t('shell.users')],
    ...[t('redemption.title'), t('palette.models')],
  ]
  return found.map((things, index) => [titles[index]!, things])
}

/** What the verb does with each thing; without a verb, all that can be done with what is named exactly so. */
function commands({ text, t }: Search, things: ThingGroups, asked: Verb | undefined): PaletteItem[] {
  return things
    .flatMap(([, all]) => all)
    .filter(({ label }) => asked || label.toLowerCase() === text.toLowerCase())
    .flatMap(({ label, value, icon, verbs }) =>
      VERBS.flatMap(verb => {
        const href = verbs[verb]
        if (href === undefined || (asked && asked !== verb)) return []
        return [{ label: t(`palette.do_${verb}`, { name: label }), value, icon, href }]
      }),
    )
}

/** By label in the reader's language, in English, and by path. */
function pages({ visit, text, t }: Search): PaletteItem[] {
  const entriesIn = (translate: Translate) => [
    ...sidebarSections(visit, translate).flatMap(({ entries }) => entries),
    ...topbarEntries(visit, translate).filter(({ href }) => href !== '/app/tokens'),
  ]
  const english = entriesIn(translator('en'))
  return entriesIn(t).flatMap(({ href, label, icon = PanelTop }, index) =>
    [label, english[index]!.label, href, ...synonymsOf(href)].some(name => includes(name, text))
      ? [{ label, hint: href, icon, href }]
      : [],
  )
}

const synonyms: Record<string, MessageKey> = {
  '/app/dashboard': 'palette.words_dashboard',
  '/app/tokens': 'palette.words_tokens',
  '/app/logs/api-usage': 'palette.words_logs',
  '/app/wallet': 'palette.words_wallet',
  '/app/statement': 'palette.words_statement',
  '/app/me': 'palette.words_me',
  '/admin/channels': 'palette.words_channels',
  '/admin/coupons': 'palette.words_coupons',
  '/admin/orders': 'palette.words_orders',
  '/admin/users': 'palette.words_users',
  '/admin/settings': 'palette.words_settings',
  '/pricing': 'palette.words_pricing',
}

function synonymsOf(href: string): string[] {
  const key = synonyms[href]
  return key ? wordsIn(key) : []
}

function actions({ visit, caller, text, t }: Search): PaletteItem[] {
  const isAdmin = caller.role >= Role.admin
  const themes = (['gate', 'gate-night', 'system'] as const)
    .filter(theme => theme !== visit.theme)
    .map(theme => ({
      label: t('palette.switch', { name: t('shell.theme'), value: t(`shell.theme_${theme}`) }),
      icon: SunMoon,
      preference: { name: 'theme', value: theme },
    }))
  const tongues = languageCodes
    .filter(code => code !== visit.language)
    .map(code => ({
      label: t('palette.switch', { name: t('shell.language'), value: languages[code].name }),
      hint: code,
      icon: LanguagesDrawing,
      preference: { name: 'language', value: code },
    }))
  const create = (label: string, href: string, words: string[] = []) => ({ label, href, icon: FilePlus, words })
  const all: (PaletteItem & { words?: string[] })[] = [
    create(t('token.create'), tokensAt({}, 'new'), wordsIn('palette.words_create_key')),
    ...(visit.status.enable_online_topup || visit.status.top_up_link
      ? [
          {
            label: t('palette.do_top_up'),
            href: walletAt(),
            icon: WalletDrawing,
            words: wordsIn('palette.words_top_up'),
          },
        ]
      : []),
    {
      label: t('payment.redeem'),
      href: `${walletAt()}#field-key`,
      icon: Ticket,
      words: wordsIn('palette.words_redeem'),
    },
    ...(isAdmin
      ? [
          create(t('channel.add'), channelsAt({}, 'new')),
          create(t('user.add'), usersAt({}, 'new')),
          create(t('redemption.create'), codesAt({}, 'new')),
          create(t('message.create'), messagesAt({}, 'new')),
        ]
      : []),
    { label: t('palette.shortcuts'), href: `${PALETTE_PATH}/shortcuts`, icon: KeyboardDrawing },
    ...themes,
    ...tongues,
  ]
  return all.filter(({ label, preference, words = [] }) =>
    [`${label} ${preference?.name ?? ''}`, ...words].some(name => includes(name, text)),
  )
}

/** The entry of a request in the log; a user finds only their own. */
async function requests({ caller, text, t }: Search): Promise<PaletteItem[]> {
  const began_at = momentOfRequest(text)
  if (began_at === undefined) return []
  const scope = caller.role >= Role.admin ? {} : { user_id: caller.id }
  const open = await findRequest(scope, text, began_at)
  return open === undefined
    ? []
    : [{ label: t('palette.open_request'), hint: text, icon: ReceiptText, href: logsAt({}, { open }) }]
}

/** Options by label or key, for administrators. */
function settings({ caller, text, t }: Search): PaletteItem[] {
  if (caller.role < Role.admin) return []
  return optionKeys
    .map(key => ({ key, label: t(labelOf(key)) }))
    .filter(({ key, label }) => includes(label, text) || includes(key, text))
    .slice(0, FOUND_MAX)
    .map(({ key, label }) => ({
      label,
      hint: key,
      icon: SlidersHorizontal,
      href: `/admin/settings?${new URLSearchParams({ tab: catalog[key].section.tab })}#field-${key}`,
    }))
}
