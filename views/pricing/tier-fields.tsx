/** Rows of prices by prompt length, in the spelling of the other prices. */
import { Fields } from '../../client/components/drawer.tsx'
import { TextField } from '../../client/components/field.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { ratioPairs } from '../../src/billing/usd-ratios.ts'
import { Equal } from './equal.tsx'
import { AddRow, head } from './task-price-fields.tsx'

type Values = Partial<Record<string, string>>

const ROW = /^tier_(\d{1,3})_from$/

/** Numbers of the rows that a form has, in order. */
export const tierRows = (values: Values): number[] =>
  Object.keys(values)
    .flatMap(name => ROW.exec(name)?.[1] ?? [])
    .map(Number)
    .sort((one, other) => one - other)

/** Prices that a row has fields for; the others of a tier are kept. */
export const tierPairs = ratioPairs.filter(({ ratio }) =>
  ['model_ratio', 'completion_ratio', 'cache_ratio'].includes(ratio),
)

export function TierFields({ values }: { values: Values }) {
  const { t } = usePageContext()
  const rows = tierRows(values)
  return (
    <Fields title={t('pricing.tiers_title')}>
      <div className="grid gap-2">
        {rows.map((row, at) => (
          <div key={row} className="grid grid-cols-4 items-start gap-2">
            <TextField
              name={`tier_${row}_from`}
              label={head(t('pricing.tier_from'), at)}
              number
              inputMode="numeric"
              autoComplete="off"
            />
            {(['usd', 'ratio'] as const).map(kind =>
              tierPairs.map(pair => (
                <div
                  key={pair[kind]}
                  className={
                    kind === 'usd'
                      ? 'hidden group-has-[[value=usd]:checked]/price:block'
                      : 'hidden group-has-[[value=ratio]:checked]/price:block'
                  }
                >
                  <TextField
                    name={`tier_${row}_${pair[kind]}`}
                    label={head(t(`pricing.${pair.ratio}`), at)}
                    unit={kind === 'usd' ? '$' : '×'}
                    number
                    inputMode="decimal"
                    autoComplete="off"
                    help={
                      <Equal kind={kind} of={`tier_${row}_${pair[kind === 'usd' ? 'ratio' : 'usd']}`} values={values} />
                    }
                  />
                </div>
              )),
            )}
            <input type="hidden" name={`tier_${row}_rest`} value={values[`tier_${row}_rest`] ?? ''} />
          </div>
        ))}
      </div>
      <AddRow of="tier">{t('pricing.add_tier')}</AddRow>
      <p className="help m-0">{t('pricing.tiers_field_help')}</p>
    </Fields>
  )
}
