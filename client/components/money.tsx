import { type Decimals, type Figure, moneyFigure, quotaFigure } from '../../src/billing/quota.ts'
import { usePageContext } from './page-context.tsx'

const Ink = ({ value, figure }: { value: number; figure: Figure }) => (
  <data className="money" value={value}>
    {figure.zeros && <span className="zeros">{figure.zeros}</span>}
    {figure.ink}
  </data>
)

/** A quota as this installation shows it: two decimals in balances, six in bills. */
export function Quota({ of, decimals = 2 }: { of: number; decimals?: Decimals }) {
  return <Ink value={of} figure={quotaFigure(of, usePageContext().currency, decimals)} />
}

/** An amount of money as it is, such as a price: at least `places` decimals, up to `upTo` where it has them. */
export const Money = ({ of, places = 2, upTo = places }: { of: number; places?: number; upTo?: number }) => (
  <Ink value={of} figure={moneyFigure(of, places, upTo)} />
)
