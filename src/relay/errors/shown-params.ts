/** What messages say of quota: sums as people know them from their wallet, and where there is more of it. */
import { type Currency, moneyText } from '../../billing/quota.ts'
import type { Refusal } from '../../contracts/refusal.ts'
import { currency, option } from '../../domain/options/index.ts'
import type { MessageParams } from '../../locales/translator.ts'
import { grouped } from '../../pure/number.ts'

/** The page on which the missing quota is added. */
const pages: Record<string, string> = {
  'wallet.insufficient_user_quota': '/app/wallet',
  'wallet.insufficient_token_quota': '/app/tokens',
}

export function shownParams({ code, params }: Refusal): MessageParams {
  if (code === 'relay.budget_exhausted' || code === 'relay.budget_spent') return budgetParams(params)
  const page = pages[code]
  if (page === undefined) return params
  const shown = currency()
  const [needed, left] = [params.needed, params.left].map(quota => sumText(Number(quota), shown))
  return { needed: needed!, left: left!, where: option('ServerAddress') + page }
}

/** Sums of a budget of quota are money, others numbers. */
function budgetParams(params: MessageParams): MessageParams {
  const { unit, used, held, amount, needed } = params
  const shown = currency()
  const text = (sum: unknown) => (unit === 'quota' ? sumText(Number(sum), shown) : grouped(Number(sum)))
  return { ...params, used: text(used), held: text(held), amount: text(amount), needed: text(needed) }
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
