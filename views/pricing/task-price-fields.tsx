/** Fields of a task's price: unit, price, rules by what was chosen, what is added. Rows that are empty count for nothing. */
import Plus from 'lucide/dist/esm/icons/plus.mjs'
import type { ReactNode } from 'react'
import { Fields } from '../../client/components/drawer.tsx'
import { SelectField, TextField } from '../../client/components/field.tsx'
import { Icon } from '../../client/components/icon.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { taskUnits } from '../../src/billing/task-price.ts'

type Values = Partial<Record<string, string>>

const ROW_FIELDS = { when: /^when_(\d{1,3})_if$/, add: /^add_(\d{1,3})_name$/ }

/** Numbers of the rows that a form has, in order. */
export const taskRows = (values: Values, prefix: 'when' | 'add'): number[] =>
  Object.keys(values)
    .flatMap(name => ROW_FIELDS[prefix].exec(name)?.[1] ?? [])
    .map(Number)
    .sort((one, other) => one - other)

const decimal = { number: true, inputMode: 'decimal', autoComplete: 'off' } as const
const words = { mono: true, autoComplete: 'off', spellCheck: false } as const

export function TaskPriceFields({ values }: { values: Values }) {
  const { t } = usePageContext()
  return (
    <>
      <div className="grid grid-cols-3 items-end gap-3">
        <SelectField
          name="task_unit"
          label={t('pricing.task_unit')}
          options={taskUnits.map(unit => ({ value: unit, label: t(`pricing.unit_${unit}`) }))}
        />
        <TextField name="task_price" label={t('pricing.price')} unit="USD" {...decimal} />
        <TextField name="task_min" label={t('pricing.task_min')} {...decimal} />
      </div>
      <Fields title={t('pricing.task_when')}>
        <div className="grid gap-2">
          {taskRows(values, 'when').map((row, at) => (
            <div key={row} className="grid grid-cols-[1fr_6.5rem_5rem] items-start gap-2">
              <TextField name={`when_${row}_if`} label={head(t('pricing.task_if'), at)} {...words} />
              <TextField name={`when_${row}_price`} label={head(t('pricing.price'), at)} unit="USD" {...decimal} />
              <TextField name={`when_${row}_times`} label={head(t('pricing.task_times'), at)} unit="×" {...decimal} />
            </div>
          ))}
        </div>
        <AddRow of="when">{t('pricing.add_rule')}</AddRow>
        <p className="help m-0">{t('pricing.task_when_help')}</p>
      </Fields>
      <Fields title={t('pricing.task_add')}>
        <div className="grid gap-2">
          {taskRows(values, 'add').map((row, at) => (
            <div key={row} className="grid grid-cols-[1fr_6.5rem] items-start gap-2">
              <TextField name={`add_${row}_name`} label={head(t('pricing.task_add_name'), at)} {...words} />
              <TextField name={`add_${row}_usd`} label={head(t('pricing.task_add_usd'), at)} unit="USD" {...decimal} />
            </div>
          ))}
        </div>
        <AddRow of="add">{t('pricing.add_extra')}</AddRow>
        <p className="help m-0">{t('pricing.task_add_help')}</p>
      </Fields>
    </>
  )
}

/** Label of a column: seen above its first row, read at each. */
export const head = (text: string, at: number) => <span className={at ? 'sr-only' : undefined}>{text}</span>

/** Shows the form again with another row. */
export const AddRow = ({ of, children }: { of: 'when' | 'add' | 'tier'; children: ReactNode }) => (
  <button type="submit" name="action" value={`add_${of}`} className="btn btn-ghost btn-sm justify-self-start">
    <Icon of={Plus} small />
    {children}
  </button>
)
