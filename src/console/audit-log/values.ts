/** Values of the audit log as people read them. */
import { disablingReason } from '../../../views/channels/disabling.ts'
import { roleName } from '../../../views/users/state.tsx'
import { balanceText } from '../../billing/quota.ts'
import { UserStatus } from '../../contracts/account.ts'
import { nameText } from '../../contracts/budget-words.ts'
import { ChannelStatus } from '../../contracts/channel.ts'
import { RedemptionStatus } from '../../contracts/redemption.ts'
import type { Visit } from '../../contracts/visit.ts'
import { providerChoices } from '../../domain/channels/index.ts'
import type { MessageKey, Translate } from '../../locales/index.ts'
import { grouped } from '../../pure/number.ts'
import { exact } from '../../pure/time.ts'

export interface Facts {
  t: Translate
  visit: Visit
}

/** Text of a value that is not blank. */
export type Write = (value: unknown, facts: Facts) => string

export const plain: Write = value => {
  if (typeof value === 'number') return grouped(value)
  if (Array.isArray(value) && value.every(item => typeof item === 'string')) return value.join(', ')
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** `5,000 ($0.01)` */
export const quota: Write = (value, { visit: { status } }) => {
  const number = grouped(Number(value))
  return status.display_in_currency ? `${number} (${balanceText(Number(value), status)})` : number
}

export const flag: Write = (value, { t }) => t(value === true || value === 1 ? 'audit.yes' : 'audit.no')

export const budgetName: Write = (value, { t }) => nameText(String(value), t)

/** Neither the old value nor the new one is kept. */
export const secret: Write = (_, { t }) => t('audit.replaced')

/** 0 stands for no moment. */
export const moment: Write = (value, { visit: { zone } }) => (value ? exact(Number(value), zone) : '–')

export const role: Write = (value, { t }) => roleName(Number(value), t)

export const provider: Write = value => providerChoices().find(({ type }) => type === value)?.label ?? String(value)

/** Why a channel is disabled or enabled, of its JSON. */
export const reason: Write = (value, { t }) => {
  const { status_reason = '' } = JSON.parse(String(value))
  return disablingReason(status_reason, t)
}

export const keys: Write = (value, { t }) => t('channel.keys', { count: (value as unknown[]).length })

const named =
  (names: Record<number, MessageKey>): Write =>
  (value, { t }) => {
    const name = names[Number(value)]
    return name ? t(name) : String(value)
  }

export const channelStatus = named({
  [ChannelStatus.enabled]: 'channel.enabled',
  [ChannelStatus.disabled]: 'channel.disabled',
  [ChannelStatus.autoDisabled]: 'channel.auto_disabled',
})

export const userStatus = named({ [UserStatus.enabled]: 'user.enabled', [UserStatus.banned]: 'user.banned' })

export const codeStatus = named({
  [RedemptionStatus.unused]: 'redemption.state_unused',
  [RedemptionStatus.disabled]: 'redemption.state_disabled',
  [RedemptionStatus.used]: 'redemption.state_used',
})

/** -1 stands for no limit. */
export const uses: Write = (value, { t }) => (value === -1 ? t('redemption.always') : grouped(Number(value)))
