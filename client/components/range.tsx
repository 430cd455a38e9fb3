/** The range of a list in time: in the sentence of its filters, and as a field for phones. */
import type { ReactNode } from 'react'
import { LOGS_RANGES, type LogsRange } from '../../src/contracts/log.ts'
import type { Translate } from '../../src/locales/index.ts'
import { type SelectOption, TextField } from './field.tsx'
import { PickSelect } from './filters.tsx'
import { usePageContext } from './page-context.tsx'

interface RangeProps {
  /** Undefined for any time. */
  range: LogsRange | undefined
  /** Values of `datetime-local` fields, for the range `custom`. */
  from?: string
  to?: string
  /** What is shown unless another is chosen; undefined for any time. */
  usual: LogsRange | undefined
}

export function PickRange({ range, from, to, usual }: RangeProps) {
  const { t } = usePageContext()
  return (
    <>
      <PickSelect name="range" label={t('log.time')} options={rangesOf(t, usual)} value={rangeValue(range, usual)} />
      {range === 'custom' && (
        <>
          <PickMoment name="from" label={t('log.from')} value={from} />
          <span>–</span>
          <PickMoment name="to" label={t('log.to')} value={to} />
        </>
      )}
    </>
  )
}

const PickMoment = ({ name, label, value }: { name: string; label: string; value?: string }) => (
  <span className="picker set">
    <input type="datetime-local" name={name} aria-label={label} defaultValue={value} className="!max-w-none" />
  </span>
)

/** The usual range first: the first option of a filter counts as not set. */
function rangesOf(t: Translate, usual: LogsRange | undefined): SelectOption[] {
  const usualFirst = [usual, ...LOGS_RANGES.filter(range => range !== usual)]
  return usualFirst.map(range => ({ value: rangeValue(range, usual), label: t(`log.range_${range ?? 'any'}`) }))
}

/** The usual range is the empty value. */
const rangeValue = (range: LogsRange | undefined, usual: LogsRange | undefined) =>
  range === usual || range === undefined ? '' : range

/** Radio buttons for the range; `custom` opens two fields. */
export function RangeField({ range, from, to, usual }: RangeProps) {
  const { t } = usePageContext()
  return (
    <fieldset className="field group !gap-1 !p-0">
      <legend className="label-text">{t('log.time')}</legend>
      <div className="flex flex-wrap gap-1">
        {rangesOf(t, usual).map(({ value, label }) => (
          <RadioButton key={value} checked={value === rangeValue(range, usual)} value={String(value)}>
            {label}
          </RadioButton>
        ))}
      </div>
      <div className="hidden grid-cols-1 gap-3 mt-3 group-has-[[value=custom]:checked]:grid">
        <TextField type="datetime-local" name="from" label={t('log.from')} value={from} />
        <TextField type="datetime-local" name="to" label={t('log.to')} value={to} />
      </div>
    </fieldset>
  )
}

const RadioButton = ({ value, checked, children }: { value: string; checked: boolean; children: ReactNode }) => (
  <label className="inline-block h-10 px-3 leading-10 rounded-sm border border-[var(--rule-2)] text-help text-[var(--ink-2)] first-letter:uppercase has-checked:bg-[var(--tint-primary)] has-checked:border-[var(--color-primary)] has-checked:text-[var(--ink-primary)] has-focus-visible:outline-2 outline-[var(--color-primary)]">
    <input type="radio" className="sr-only" name="range" value={value} defaultChecked={checked} />
    {children}
  </label>
)
