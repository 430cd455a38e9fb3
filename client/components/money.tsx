/** Amounts of money. Leading zeros are grey. */
import { type Decimals, type Figure, moneyFigure, quotaFigure } from '../../src/billing/quota.ts'
import { usePageContext } from './page-context.tsx'

const Ink = ({ value, figure }: { value: number; figure: Figure }) => (
  <data className="money" value={value}>
    {figure.zeros && <span className="zeros">{figure.zeros}</span>}
    {figure.ink}
  </data>
)

/** A quota as currency or as a number, as the option DisplayInCurrencyEnabled says: two decimals in balances, six in bills. */
export function Quota({ of, decimals = 2 }: { of: number; decimals?: Decimals }) {
  return <Ink value={of} figure={quotaFigure(of, usePageContext().currency, decimals)} />
}

/** An amount in USD with `places` to `upTo` decimals. */
export const Money = ({ of, places = 2, upTo = places }: { of: number; places?: number; upTo?: number }) => (
  <Ink value={of} figure={moneyFigure(of, places, upTo)} />
)
