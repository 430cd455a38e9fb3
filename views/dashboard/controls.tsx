/** Range, granularity and person of the dashboard, as a sentence in its head. */
import type { SelectOption } from '../../client/components/field.tsx'
import { HiddenFields, PickSelect, Sentence } from '../../client/components/filters.tsx'
import { viewRequest } from '../../client/components/link.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { DASHBOARD_PATH, DASHBOARD_RANGES, type UsageBy } from '../../src/contracts/dashboard.ts'
import type { Grain } from '../../src/pure/periods.ts'
import { type DashboardView, splitsFor } from './view.ts'

export interface ControlsProps {
  view: DashboardView
  /** Granularities that fit the range, the usual one first. */
  grains: Grain[]
  /** Columns that the reader may see as rows of the table. */
  columns: UsageBy[]
  /** For administrators: name of the user whose usage is shown, or '' */
  person?: string
}

export function Controls({ view, grains, columns, person }: ControlsProps) {
  const { t } = usePageContext()
  const controls = {
    range: <PickRange view={view} />,
    by: (
      <PickSelect
        key={`${view.range} ${view.by}`}
        name="by"
        label={t('dashboard.granularity')}
        options={grains.map(grain => ({ value: grain, label: t(`dashboard.in_${grain}`) }))}
        value={view.by}
      />
    ),
    of: (
      <PickSelect name="of" label={t('dashboard.whose')} options={peopleOf(view, t, person)} value={String(view.of)} />
    ),
    rows: (
      <PickSelect
        key={`${view.range} ${view.of} ${view.rows}`}
        name="rows"
        label={t('dashboard.rows')}
        options={[...columns, ...grains].map(name => ({ value: name, label: t(`dashboard.in_${name}`) }))}
        value={view.rows}
      />
    ),
    split: (
      <PickSelect
        key={`${view.of} ${view.rows} ${view.split}`}
        name="split"
        label={t('dashboard.split')}
        options={[
          { value: '', label: t('dashboard.split_none') },
          ...splitsFor(view, columns).map(name => ({ value: name, label: t(`dashboard.in_${name}`) })),
        ]}
        value={view.split}
      />
    ),
  }
  const reader = person === undefined ? 'own' : 'all'
  return (
    <form
      className="sentence dashboard-controls"
      method="get"
      action={DASHBOARD_PATH}
      {...viewRequest(DASHBOARD_PATH)}
      hx-trigger="change, submit"
    >
      <Sentence
        text={view.as === 'table' ? t(`dashboard.table_${reader}`) : t(`dashboard.sentence_${reader}`)}
        controls={controls}
      />
      {view.as === 'table' && <HiddenFields of={{ as: 'table', by: view.by, sort: view.sort }} />}
      <noscript>
        <button type="submit" className="btn btn-sm">
          {t('ui.show')}
        </button>
      </noscript>
    </form>
  )
}

function PickRange({ view: { range, from, to } }: { view: DashboardView }) {
  const { t } = usePageContext()
  const options = DASHBOARD_RANGES.map(name => ({ value: name, label: t(`dashboard.range_${name}`) }))
  return (
    <>
      <PickSelect name="range" label={t('dashboard.range')} options={options} value={range} />
      {range === 'custom' && (
        <>
          <PickDate name="from" label={t('dashboard.from')} value={from} />
          <span>–</span>
          <PickDate name="to" label={t('dashboard.to')} value={to} />
        </>
      )}
    </>
  )
}

const PickDate = ({ name, label, value }: { name: string; label: string; value?: string }) => (
  <span className="picker set">
    <input type="date" name={name} aria-label={label} defaultValue={value} />
  </span>
)

function peopleOf({ of }: DashboardView, t: ReturnType<typeof usePageContext>['t'], person?: string): SelectOption[] {
  const fixed = [
    { value: 'all', label: t('dashboard.of_all') },
    { value: 'own', label: t('dashboard.of_own') },
  ]
  return typeof of === 'number' ? [...fixed, { value: of, label: person ?? '' }] : fixed
}
