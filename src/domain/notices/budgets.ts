/** Notices of budgets: to their owner at 50, 80 and 100 % of a window, once each. Calls compare two numbers in memory. */
import { and, eq, lt } from 'drizzle-orm'
import { balanceText } from '../../billing/quota.ts'
import { NOTICE_PERCENT } from '../../contracts/budget.ts'
import { amountText, nameText, numberText } from '../../contracts/budget-words.ts'
import { CHANNELS_PATH } from '../../contracts/channel.ts'
import { atomic, run } from '../../db/atomic.ts'
import type { Tx } from '../../db/database.ts'
import { translate, translator } from '../../locales/index.ts'
import type { Language } from '../../locales/languages.ts'
import { store } from '../../process/stores.ts'
import { exact } from '../../pure/time.ts'
import { type BudgetRow, booked, NEVER_ENDS, onBudgetsChanged, type WindowSum } from '../budgets/index.ts'
import { budgets, budgetWindows } from '../budgets/table.ts'
import { channels } from '../channels/table.ts'
import { messageAdministrators, messageUser } from '../messages/index.ts'
import { currency } from '../options/index.ts'
import { tokens } from '../tokens/table.ts'
import { isEnabled, type User } from '../users/index.ts'
import { users } from '../users/table.ts'
import { inBackground } from './background.ts'
import { languageOf, queueNotice } from './notify.ts'
import { plain } from './plain.ts'

const KIND = 'budget_used'

/** The latest window of a budget in which this node has booked. */
interface Watch {
  start: number
  used: number
  /** The use at which the next notice is due. */
  next: number
}

/** By the id of the budget. Edits clear them. */
const watches = store('budget-watches', new Map<number, Watch>())

onBudgetsChanged(() => watches.clear())
booked.listen(windows => windows.forEach(look))

function look({ budget_id, start, used }: WindowSum) {
  const known = watches.get(budget_id)
  if (known?.start === start) {
    known.used = used
    if (used < known.next) return
  }
  // Until the work is done, further calls only leave what is used.
  const watch = { start, used, next: Number.POSITIVE_INFINITY }
  watches.set(budget_id, watch)
  inBackground(KIND, () => noticeWindow(budget_id, watch))
}

async function noticeWindow(budget_id: number, watch: Watch) {
  try {
    for (;;) {
      const { used } = watch
      watch.next = await atomic(tx => noticeOnce(tx, budget_id, watch.start))
      if (watch.used === used || watch.used < watch.next) return
    }
  } catch (error) {
    watches.delete(budget_id)
    throw error
  }
}

const thresholdOf = ({ amount }: BudgetRow, percent: number) => Math.ceil((amount / 100) * percent)

/**
 * A compare-and-set decides between nodes. Of several thresholds that one call passes, the highest is announced.
 * @returns the use at which the next notice is due
 */
function* noticeOnce(tx: Tx, budget_id: number, start: number) {
  const isWindow = and(eq(budgetWindows.budget_id, budget_id), eq(budgetWindows.start, start))
  const [budget] = yield* run(tx.select().from(budgets).where(eq(budgets.id, budget_id)))
  const [window] = yield* run(tx.select().from(budgetWindows).where(isWindow))
  if (!budget || !window) return Number.POSITIVE_INFINITY
  const reached = NOTICE_PERCENT.findLast(percent => window.used >= thresholdOf(budget, percent)) ?? 0
  if (reached > window.noticed) {
    const change = tx.update(budgetWindows).set({ noticed: reached })
    const isMine = yield* run(
      change.where(and(isWindow, lt(budgetWindows.noticed, reached))).returning({ used: budgetWindows.used }),
    )
    if (isMine.length) yield* tell(tx, { budget, window, percent: reached })
  }
  const next = NOTICE_PERCENT.find(percent => percent > Math.max(reached, window.noticed))
  return next === undefined ? Number.POSITIVE_INFINITY : thresholdOf(budget, next)
}

interface Use {
  budget: BudgetRow
  window: typeof budgetWindows.$inferSelect
  percent: number
}

interface OwnerOfBudget {
  name: string
  /** Page of the budget. */
  path: string
  /** Of a user or key; a channel is of all administrators. */
  user?: User
}

/** Owners who are banned or deleted are left out. */
function* tell(tx: Tx, use: Use) {
  const owner = yield* ownerOf(tx, use.budget)
  if (!owner) return
  const message = (language: Language) => messageOf(use, owner, language)
  if (!owner.user) {
    yield* messageAdministrators(tx, message)
    return
  }
  yield* messageUser(tx, owner.user, message)
  const { title, text } = message(languageOf(owner.user))
  yield* queueNotice(tx, owner.user, { type: KIND, kind: KIND, params: { title, text }, path: owner.path })
}

function* ownerOf(tx: Tx, { owner, owner_id }: BudgetRow) {
  if (owner === 'channel') {
    const [channel] = yield* run(tx.select({ name: channels.name }).from(channels).where(eq(channels.id, owner_id)))
    return channel && ({ name: channel.name, path: `${CHANNELS_PATH}?edit=${owner_id}` } satisfies OwnerOfBudget)
  }
  const [token] = owner === 'token' ? yield* run(tx.select().from(tokens).where(eq(tokens.id, owner_id))) : []
  const user_id = owner === 'user' ? owner_id : token?.user_id
  const [user] = user_id === undefined ? [] : yield* run(tx.select().from(users).where(eq(users.id, user_id)))
  if (!user || !isEnabled(user) || user.deleted_time !== null || (token && token.deleted_time !== null))
    return undefined
  const path = token ? `/app/tokens?edit=${owner_id}` : '/app/wallet'
  return { name: token?.name ?? user.username, path, user } satisfies OwnerOfBudget
}

/** `text` is plain, `content` Markdown. */
function messageOf({ budget, window, percent }: Use, owner: OwnerOfBudget, language: Language) {
  const t = translator(language)
  const money = (quota: number) => balanceText(quota, currency())
  const name = nameText(budget.name, t)
  const linesFor = (shown: (text: string) => string) => [
    t(budget.key_hash ? 'message.budget_of_channel_key' : `message.budget_of_${budget.owner}`, {
      ...{ name: shown(name), owner: shown(owner.name) },
      used: numberText(window.used, budget.unit, money),
      amount: amountText(budget.amount, budget.unit, t, money),
    }),
    ...(budget.refuses ? (percent === 100 ? [t('message.budget_refuses')] : []) : [t('message.budget_goes_on')]),
    ...(window.end < NEVER_ENDS ? [renewal(budget, window.end, language)] : []),
  ]
  return {
    title: t('message.budget_title', { percent, name }),
    text: linesFor(text => text).join(' '),
    content: [linesFor(plain).join(' '), '', `[${t('message.budget_open')}](${owner.path})`].join('\n'),
  }
}

function renewal({ zone }: BudgetRow, end: number, language: Language): string {
  const shown = zone || 'UTC'
  return translate(language, 'message.budget_renews', { at: exact(end, shown), zone: shown })
}
