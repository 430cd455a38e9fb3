/** Prices of the first models and a search over all. */
import type { ReactNode } from 'react'
import { Search } from '../../client/components/filters.tsx'
import { PageLink } from '../../client/components/link.tsx'
import { Money } from '../../client/components/money.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import type { TaskUnit } from '../../src/billing/task-price.ts'
import { fuzzy } from '../../src/pure/fuzzy.ts'
import { grouped } from '../../src/pure/number.ts'
import { ModelName } from '../layout/things.tsx'

/** Prices in USD per 1M tokens, or per call; neither for a model without a price. */
export interface ModelPrice {
  name: string
  input?: number
  cached?: number
  output?: number
  per_call?: number
  /** Of a task, what `per_call` is the price of. */
  unit?: TaskUnit
}

export interface PricesProps {
  models: ModelPrice[]
  /** Group of the prices. */
  group: { name: string; ratio: number }
  /** Value of the search field. */
  search: string
}

const MODELS_SHOWN = 7
const DECIMALS = 6

export function Prices({ models, group, search }: PricesProps) {
  const { t } = usePageContext()
  const matches = fuzzy(models, search, model => model.name).slice(0, MODELS_SHOWN)
  return (
    <div>
      <h2 className="section-title">{t('home.prices')}</h2>
      <p className="ink-2 m-0 mb-4">{t('home.prices_lead', { group: group.name, ratio: group.ratio })}</p>
      {models.length > 0 && (
        <Search
          action="/"
          name="model"
          value={search}
          placeholder={t('home.search', { count: grouped(models.length) })}
          wide
        />
      )}
      {models.length > 0 ? (
        <PriceTable models={matches} search={search} />
      ) : (
        <p className="ink-2">{t('home.no_models')}</p>
      )}
      <p className="mt-3 mb-0">
        <a className="text" href="/pricing">
          {t('home.all_prices')}
        </a>
      </p>
    </div>
  )
}

function PriceTable({ models, search }: { models: ModelPrice[]; search: string }) {
  const { t } = usePageContext()
  return (
    <table className="ledger plain">
      <thead>
        <tr>
          <th className="tight !static">{t('home.model')}</th>
          <th className="number !static">{t('home.input')}</th>
          <th className="number wide-only !static">{t('home.cached')}</th>
          <th className="number !static">{t('home.output')}</th>
        </tr>
      </thead>
      <tbody>
        {models.map(({ name, input, cached, output, per_call, unit = 'call' }) => (
          <tr key={name}>
            <td className="mono tight card-title max-w-0 w-1/2 overflow-hidden text-ellipsis" title={name}>
              <ModelName name={name} />
            </td>
            {input === undefined && per_call === undefined ? (
              <td className="number card-figure ink-3" colSpan={3}>
                {t('home.no_price')}
              </td>
            ) : per_call === undefined ? (
              <>
                <td className="number">
                  <Price of={input} />
                </td>
                <td className="number wide-only">
                  <Price of={cached} />
                </td>
                <td className="number card-figure">
                  <Price of={output} />
                </td>
              </>
            ) : (
              <td className="number card-figure" colSpan={3}>
                <Price of={per_call} /> <span className="unit">{t(`pricing.per_${unit}`)}</span>
              </td>
            )}
          </tr>
        ))}
        {models.length === 0 && (
          <tr>
            <td className="none-match" colSpan={4}>
              {t('home.none_match', { search })}{' '}
              <PageLink className="text" href="/">
                {t('home.show_first')}
              </PageLink>
            </td>
          </tr>
        )}
      </tbody>
    </table>
  )
}

const Price = ({ of: usd }: { of: number | undefined }): ReactNode =>
  usd === undefined ? <span className="ink-3">—</span> : <Money of={usd} upTo={DECIMALS} />
