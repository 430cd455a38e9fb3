/** Filters of a statement as a sentence, and as fields on phones. */
import { Filters, PickSelect, Sentence, SheetSelect } from '../../client/components/filters.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { STATEMENT_KINDS } from '../../src/contracts/statement.ts'
import { monthAfter } from '../../src/pure/month.ts'
import type { StatementProps } from './statement.tsx'
import { statementAt } from './view.ts'
import { kindName, monthName } from './words.ts'

/** Months that the filter offers; older ones are reached step by step. */
const OFFERED_MONTHS = 24

export function StatementFilters({ path, view, present }: Pick<StatementProps, 'path' | 'view' | 'present'>) {
  const { t, language } = usePageContext()
  const offered = Array.from({ length: OFFERED_MONTHS }, (_, index) => monthAfter(present, -index))
  const months = (offered.includes(view.month) ? offered : [...offered, view.month]).map(month => ({
    value: month,
    label: monthName(month, language),
  }))
  const kinds = [
    { value: '', label: t('statement.any_kind') },
    ...STATEMENT_KINDS.map(kind => ({ value: kind, label: kindName(kind, t) })),
  ]
  const fields = [
    { name: 'month', label: t('statement.month'), options: months, value: view.month },
    { name: 'kind', label: t('statement.what'), options: kinds, value: view.kind ?? '' },
  ]
  const controls = Object.fromEntries(fields.map(field => [field.name, <PickSelect key={field.name} {...field} />]))
  const count = Number(view.month !== present) + Number(view.kind !== undefined)
  const sheet = fields.map(field => <SheetSelect key={field.name} {...field} />)
  return (
    <Filters action={statementAt(path, {})} count={count} sheet={sheet}>
      <Sentence text={t('statement.sentence')} controls={controls} />
    </Filters>
  )
}
