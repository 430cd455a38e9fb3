/** What the price of a task depends on: rules by what was chosen, what is added, the fewest units. */
import type { ReactNode } from 'react'
import { usePageContext } from '../../client/components/page-context.tsx'
import type { TaskPrice, TaskRule } from '../../src/billing/task-price.ts'
import { plain } from '../../src/pure/decimal.ts'
import { Usd } from './price.tsx'

export function TaskConditions({ price: { unit, when = [], add = {}, min } }: { price: TaskPrice }) {
  const { t } = usePageContext()
  const extras = Object.entries(add)
  if (!when.length && !extras.length && !min) return null
  return (
    <dl className="facts mt-2">
      {when.map(({ price, times, ...conditions }) => (
        <Condition key={JSON.stringify({ price, times, ...conditions })} of={wordsOf(conditions)}>
          {price !== undefined && (
            <>
              <Usd of={price} /> <span className="unit">{t(`pricing.per_${unit}`)}</span>
            </>
          )}
          {price !== undefined && times !== undefined && ', '}
          {times !== undefined && `× ${plain(times)}`}
        </Condition>
      ))}
      {extras.map(([name, usd]) => (
        <Condition key={name} of={name}>
          + <Usd of={usd} /> <span className="unit">{t('pricing.each')}</span>
        </Condition>
      ))}
      {min ? (
        <Condition of={t('pricing.task_min')}>{t(`pricing.least_${unit}`, { count: plain(min) })}</Condition>
      ) : null}
    </dl>
  )
}

const Condition = ({ of, children }: { of: string; children: ReactNode }) => (
  <>
    <dt>{of}</dt>
    <dd>{children}</dd>
  </>
)

/** Such as `resolution = 1080p, input = video`; none for a rule that always matches. */
const wordsOf = (conditions: TaskRule): string =>
  Object.entries(conditions)
    .map(([name, value]) => `${name} = ${value}`)
    .join(', ') || '*'
