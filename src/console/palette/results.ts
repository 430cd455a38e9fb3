/** What the palette finds: pages and actions of the reader's menu, settings, and things by name or id that the reader may see. */

import FilePlus from 'lucide/dist/esm/icons/file-plus.mjs'
import KeyRound from 'lucide/dist/esm/icons/key-round.mjs'
import KeyboardDrawing from 'lucide/dist/esm/icons/keyboard.mjs'
import LanguagesDrawing from 'lucide/dist/esm/icons/languages.mjs'
import PanelTop from 'lucide/dist/esm/icons/panel-top.mjs'
import ReceiptText from 'lucide/dist/esm/icons/receipt-text.mjs'
import SlidersHorizontal from 'lucide/dist/esm/icons/sliders-horizontal.mjs'
import Sparkles from 'lucide/dist/esm/icons/sparkles.mjs'
import SunMoon from 'lucide/dist/esm/icons/sun-moon.mjs'
import Ticket from 'lucide/dist/esm/icons/ticket.mjs'
import UserRound from 'lucide/dist/esm/icons/user-round.mjs'
import Waypoints from 'lucide/dist/esm/icons/waypoints.mjs'
import { channelsAt } from '../../../views/channels/view.ts'
import { sidebarSections, topbarEntries } from '../../../views/layout/menu.ts'
import { logsAt } from '../../../views/logs/view.ts'
import { messagesAt } from '../../../views/messages/view.ts'
import type { PaletteGroup, PaletteItem } from '../../../views/palette/view.ts'
import { pricingAt } from '../../../views/pricing/view.ts'
import { codesAt } from '../../../views/redemption/view.ts'
import { tokensAt } from '../../../views/tokens/view.ts'
import { usersAt } from '../../../views/users/view.ts'
import { Role, type SessionUser } from '../../contracts/account.ts'
import { PALETTE_PATH } from '../../contracts/palette.ts'
import type { Visit } from '../../contracts/visit.ts'
import { momentOfRequest } from '../../crypto/random-id.ts'
import { findRequest } from '../../domain/logs/index.ts'
import { catalog, labelOf, optionKeys } from '../../domain/options/index.ts'
import { listCodes } from '../../domain/redemption/index.ts'
import { listTokens } from '../../domain/tokens/index.ts'
import { findUsers, maySee } from '../../domain/users/index.ts'
import { translator } from '../../locales/index.ts'
import { languageCodes, languages } from '../../locales/languages.ts'
import type { Translate } from '../../locales/translator.ts'
import { findChannels, includes, modelsFor } from './suggestions.ts'

const FOUND_MAX = 5

interface Search {
  visit: Visit
  caller: SessionUser
  text: string
  t: Translate
}

/** Without a text: pages and actions. */
export async function paletteResults(visit: Visit, caller: SessionUser, text: string): Promise<PaletteGroup[]> {
  const t = translator(visit.language)
  const search = { visit, caller, text, t }
  const [request, channels, users, tokens, codes, models] = text
    ? await Promise.all([
        requests(search),
        channelsOf(search),
        usersOf(search),
        tokensOf(search),
        codesOf(search),
        modelsOf(search),
      ])
    : []
  const groups: [title: string, items: PaletteItem[] | undefined][] = [
    [t('palette.requests'), request],
    [t('palette.pages'), pages(search)],
    [t('palette.actions'), actions(search)],
    [t('shell.tokens'), tokens],
    [t('shell.channels'), channels],
    [t('shell.users'), users],
    [t('redemption.title'), codes],
    [t('palette.models'), models],
    [t('shell.settings'), text ? settings(search) : undefined],
  ]
  return groups.flatMap(([title, items]) => (items?.length ? [{ title, items }] : []))
}

/** By label in the reader's language, in English, and by path. */
function pages({ visit, text, t }: Search): PaletteItem[] {
  const entriesIn = (translate: Translate) => [
    ...sidebarSections(visit, translate).flatMap(({ entries }) => entries),
    ...topbarEntries(visit, translate).filter(({ href }) => href !== '/app/tokens'),
  ]
  const english = entriesIn(translator('en'))
  return entriesIn(t).flatMap(({ href, label, icon = PanelTop }, index) =>
    [label, english[index]!.label, href].some(name => includes(name, text)) ? [{ label, hint: href, icon, href }] : [],
  )
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
  const create = (label: string, href: string): PaletteItem => ({ label, href, icon: FilePlus })
  const all: PaletteItem[] = [
    create(t('token.create'), tokensAt({}, 'new')),
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
  return all.filter(({ label, preference }) => includes(`${label} ${preference?.name ?? ''}`, text))
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

async function channelsOf({ caller, text }: Search): Promise<PaletteItem[]> {
  if (caller.role < Role.admin) return []
  const found = await findChannels(text, FOUND_MAX)
  return found.map(({ id, name }) => ({
    label: name,
    hint: `#${id}`,
    icon: Waypoints,
    href: channelsAt({}, { edit: id }),
  }))
}

async function usersOf({ caller, text }: Search): Promise<PaletteItem[]> {
  if (caller.role < Role.admin) return []
  const found = await findUsers(caller, text, FOUND_MAX)
  return found.map(user => ({
    label: user.username,
    hint: [`#${user.id}`, user.display_name !== user.username && user.display_name].filter(Boolean).join(' '),
    icon: UserRound,
    href: maySee(caller, user) ? usersAt({}, { edit: user.id }) : usersAt({ keyword: user.username }),
  }))
}

async function tokensOf({ caller, text }: Search): Promise<PaletteItem[]> {
  const { items } = await listTokens(caller.id, { page: 1, size: FOUND_MAX, offset: 0 }, { text })
  return items.map(({ id, name }) => ({
    label: name,
    hint: `#${id}`,
    icon: KeyRound,
    href: tokensAt({}, { edit: id }),
  }))
}

/** By name, id, the whole code or the end of it, for administrators. */
async function codesOf({ caller, text }: Search): Promise<PaletteItem[]> {
  if (caller.role < Role.admin) return []
  const { items } = await listCodes({ keyword: text }, { page: 1, size: FOUND_MAX, offset: 0 })
  return items.map(({ id, name }) => ({ label: name, hint: `#${id}`, icon: Ticket, href: codesAt({}, { edit: id }) }))
}

async function modelsOf({ caller, text }: Search): Promise<PaletteItem[]> {
  const names = (await modelsFor(caller)).filter(name => includes(name, text))
  return names.slice(0, FOUND_MAX).map(name => ({
    label: name,
    icon: Sparkles,
    href: pricingAt({ keyword: name }, name),
  }))
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
