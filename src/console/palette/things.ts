/** What the palette finds by name or id, each with its value in the line and with what can be done with it. */
import KeyRound from 'lucide/dist/esm/icons/key-round.mjs'
import Sparkles from 'lucide/dist/esm/icons/sparkles.mjs'
import TagDrawing from 'lucide/dist/esm/icons/tag.mjs'
import Ticket from 'lucide/dist/esm/icons/ticket.mjs'
import UserRound from 'lucide/dist/esm/icons/user-round.mjs'
import Waypoints from 'lucide/dist/esm/icons/waypoints.mjs'
import { stateName as channelState } from '../../../views/channels/channel-state.tsx'
import { channelsAt } from '../../../views/channels/view.ts'
import type { PaletteItem } from '../../../views/palette/view.ts'
import { settingsAt } from '../../../views/pricing/settings-view.ts'
import { pricingAt } from '../../../views/pricing/view.ts'
import { stateName as codeState } from '../../../views/redemption/state.tsx'
import { codesAt } from '../../../views/redemption/view.ts'
import { stateName as tokenState } from '../../../views/tokens/state.tsx'
import { tokensAt } from '../../../views/tokens/view.ts'
import { usersAt } from '../../../views/users/view.ts'
import { balanceText, moneyText } from '../../billing/quota.ts'
import { Role, type SessionUser, UserStatus } from '../../contracts/account.ts'
import { ChannelStatus } from '../../contracts/channel.ts'
import type { OfferedModel } from '../../contracts/pricing.ts'
import { TokenStatus } from '../../contracts/token.ts'
import type { Visit } from '../../contracts/visit.ts'
import { mayChange } from '../../domain/account/index.ts'
import { tagSummaries, tagsInUse } from '../../domain/channels/index.ts'
import { listCodes } from '../../domain/redemption/index.ts'
import { listTokens } from '../../domain/tokens/index.ts'
import { findUsers, maySee } from '../../domain/users/index.ts'
import type { Translate } from '../../locales/translator.ts'
import { now } from '../../process/clock.ts'
import { pricesFor } from '../offered-models.ts'
import { findChannels, includes, modelsFor } from './suggestions.ts'
import type { Verb } from './verbs.ts'

const FOUND_MAX = 5
const MODELS_MAX = 20
const PRICE_DECIMALS = 6

export interface Search {
  visit: Visit
  caller: SessionUser
  text: string
  t: Translate
}

export interface Thing extends PaletteItem {
  /** Address of the form or dialog for a verb: none acts by itself. */
  verbs: Partial<Record<Verb, string>>
}

const isAdmin = ({ role }: SessionUser) => role >= Role.admin

export async function channelsOf({ caller, text, t }: Search): Promise<Thing[]> {
  if (!isAdmin(caller)) return []
  const found = await findChannels(text, FOUND_MAX)
  return found.map(channel => {
    const { id, name, status } = channel
    const href = channelsAt({}, { edit: id })
    const verbs = { [status === ChannelStatus.enabled ? 'disable' : 'enable']: href }
    return { label: name, hint: `#${id}`, value: t(channelState(channel)), icon: Waypoints, href, verbs }
  })
}

export async function tagsOf({ caller, text, t }: Search): Promise<Thing[]> {
  if (!isAdmin(caller)) return []
  const tags = (await tagsInUse()).filter(tag => includes(tag, text)).slice(0, FOUND_MAX)
  return (await tagSummaries(tags)).map(({ tag, count, enabled }) => ({
    label: tag,
    value: t('channel.enabled_of', { enabled, count }),
    icon: TagDrawing,
    href: channelsAt({ tag }),
    verbs: {
      ...(enabled > 0 && { disable: channelsAt({}, { switch_tag: tag }) }),
      ...(enabled < count && { enable: channelsAt({}, { switch_tag: tag }) }),
    },
  }))
}

export async function usersOf({ caller, text, t, visit }: Search): Promise<Thing[]> {
  if (!isAdmin(caller)) return []
  const found = await findUsers(caller, text, FOUND_MAX)
  return found.map(user => {
    const { id, username, display_name, status, quota } = user
    const edit = usersAt({}, { edit: id })
    const isBanned = status === UserStatus.banned
    const balance = balanceText(quota, visit.status)
    const verbs = {
      add_quota: usersAt({}, { quota: id }),
      ...(user.role < Role.root && { [isBanned ? 'enable' : 'disable']: edit }),
    }
    return {
      label: username,
      hint: [`#${id}`, display_name !== username && display_name].filter(Boolean).join(' '),
      ...(maySee(caller, user) && { value: isBanned ? `${t('user.banned')} · ${balance}` : balance }),
      icon: UserRound,
      href: maySee(caller, user) ? edit : usersAt({ keyword: username }),
      verbs: mayChange(caller, user) ? verbs : {},
    }
  })
}

export async function tokensOf({ caller, text, t, visit }: Search): Promise<Thing[]> {
  const { items } = await listTokens(caller.id, { page: 1, size: FOUND_MAX, offset: 0 }, { text })
  return items.map(token => {
    const { id, name, status, unlimited_quota, remain_quota } = token
    const href = tokensAt({}, { edit: id })
    const left = unlimited_quota ? t('token.unlimited') : balanceText(remain_quota, visit.status)
    const verbs = { [status === TokenStatus.disabled ? 'enable' : 'disable']: href }
    return { label: name, hint: `#${id}`, value: `${t(tokenState(token))} · ${left}`, icon: KeyRound, href, verbs }
  })
}

/** By name, id, the whole code or the end of it, for administrators. */
export async function codesOf({ caller, text, t, visit }: Search): Promise<Thing[]> {
  if (!isAdmin(caller)) return []
  const { items } = await listCodes({ keyword: text }, { page: 1, size: FOUND_MAX, offset: 0 })
  return items.map(code => {
    const { id, name, quota } = code
    const value = `${t(codeState(code, now()))} · ${balanceText(quota, visit.status)}`
    return { label: name, hint: `#${id}`, value, icon: Ticket, href: codesAt({}, { edit: id }), verbs: {} }
  })
}

export async function modelsOf({ caller, text, t }: Search): Promise<Thing[]> {
  const names = (await modelsFor(caller)).filter(name => includes(name, text)).slice(0, MODELS_MAX)
  const prices = names.length ? await pricesFor(caller.group) : undefined
  return names.map(name => {
    const href = pricingAt({ keyword: name }, name)
    return {
      label: name,
      value: priceText(prices?.(name) ?? {}, t),
      icon: Sparkles,
      href,
      verbs: { price: isAdmin(caller) ? settingsAt({ area: 'prices' }, { edit: name }) : href },
    }
  })
}

/** `$2.50 / $10.00` for a million tokens of input and output, or the price of a call. */
function priceText({ input, output, per_call }: Omit<OfferedModel, 'name'>, t: Translate): string {
  const usd = (amount: number) => moneyText(amount, 2, PRICE_DECIMALS)
  if (per_call !== undefined) return `${usd(per_call)} ${t('pricing.per_call')}`
  return input === undefined ? t('pricing.no_price') : `${usd(input)} / ${usd(output ?? 0)}`
}
