import { type Decimals, type Figure, moneyFigure, quotaFigure } from '../../src/billing/quota.ts'
import { usePageContext } from './page-context.tsx'

const HALF_A_CENT = 0.005

const Ink = ({ value, figure }: { value: number; figure: Figure }) => (
  <data className="money" value={value}>
    {figure.zeros && <span className="z">{figure.zeros}</span>}
    {figure.ink}
  </data>
)

/** A quota as this installation shows it: two decimals in balances, six in bills and for amounts below half a cent. */
export function Quota({ of, decimals }: { of: number; decimals?: Decimals }) {
  const { currency } = usePageContext()
  const isTiny = of !== 0 && Math.abs(of) / currency.quota_per_unit < HALF_A_CENT
  return <Ink value={of} figure={quotaFigure(of, currency, decimals ?? (isTiny ? 6 : 2))} />
}

/** An amount of money as it is, such as a price: at least `places` decimals, up to `upTo` where it has them. */
export const Money = ({ of, places = 2, upTo = places }: { of: number; places?: number; upTo?: number }) => (
  <Ink value={of} figure={moneyFigure(of, places, upTo)} />
)
