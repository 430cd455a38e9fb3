/** What messages say of quota: sums as people know them from their wallet, and where there is more of it. */
import { type Currency, moneyText } from '../../billing/quota.ts'
import type { BudgetUnit } from '../../contracts/budget.ts'
import { amountText, nameText, numberText } from '../../contracts/budget-words.ts'
import type { Refusal } from '../../contracts/refusal.ts'
import { currency, option } from '../../domain/options/index.ts'
import type { Translate } from '../../locales/index.ts'
import type { MessageParams } from '../../locales/translator.ts'
import { grouped } from '../../pure/number.ts'

/** The page on which the missing quota is added. */
const pages: Record<string, string> = {
  'wallet.insufficient_user_quota': '/app/wallet',
  'wallet.insufficient_token_quota': '/app/tokens',
}

export function shownParams({ code, params }: Refusal, t: Translate): MessageParams {
  if (code === 'relay.budget_exhausted' || code === 'relay.budget_spent') return budgetParams(params, t)
  const page = pages[code]
  if (page === undefined) return params
  const shown = currency()
  const [needed, left] = [params.needed, params.left].map(quota => sumText(Number(quota), shown))
  return { needed: needed!, left: left!, where: option('ServerAddress') + page }
}

function budgetParams({ name, unit: named, used, held, amount, needed, seconds }: MessageParams, t: Translate) {
  const unit = named as BudgetUnit
  const shown = currency()
  const money = (quota: number) => sumText(quota, shown)
  const text = (sum: MessageParams[string] | undefined) => numberText(Number(sum), unit, money)
  return {
    ...{ name: nameText(String(name), t), used: text(used), held: text(held), needed: text(needed) },
    ...{ amount: amountText(Number(amount), unit, t, money), seconds: Number(seconds) },
  }
}

const CENTS = 2
/** Two more digits than a unit of quota has in the usual rate. */
const DECIMALS_MAX = 8

/** As many decimals as it takes: a small sum is never shown as nothing. */
function sumText(quota: number, { display_in_currency, quota_per_unit }: Currency): string {
  const amount = quota / quota_per_unit
  const isShown = quota === 0 || Math.abs(amount) >= 10 ** -DECIMALS_MAX
  return display_in_currency && isShown ? moneyText(amount, CENTS, DECIMALS_MAX) : grouped(quota)
}
