/** Prices of another gateway: where they are, and the differences from ours, to tick. */
import Check from 'lucide/dist/esm/icons/check.mjs'
import Scale from 'lucide/dist/esm/icons/scale.mjs'
import { Empty } from '../../client/components/empty.tsx'
import { TextField } from '../../client/components/field.tsx'
import { Icon } from '../../client/components/icon.tsx'
import { JsonField } from '../../client/components/json.tsx'
import { Form } from '../../client/components/link.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { SelectionBar } from '../../client/components/selection.tsx'
import { type Column, Table } from '../../client/components/table.tsx'
import type { PriceDifference } from '../../src/contracts/pricing.ts'
import { plain } from '../../src/pure/decimal.ts'
import { FormNote, Outcome, type OutcomeProps } from './save-bar.tsx'
import { pricesAction, settingsAt } from './settings-view.ts'

interface ImportProps extends OutcomeProps {
  values: Record<string, string>
  /** Absent before a comparison. */
  differences?: PriceDifference[]
  /** Values of the ticked differences. */
  picked?: string[]
}

/** Value of the checkbox: `ModelRatio:1.25:gpt-4o`. The text of a number has no colon. */
export const pickOf = ({ key, theirs, model }: PriceDifference): string => `${key}:${theirs}:${model}`

export function Import({ values, errors, differences, picked = [], simulation }: ImportProps) {
  const { t } = usePageContext()
  return (
    <>
      <Form
        action={pricesAction('import')}
        returnTo={settingsAt({ area: 'import' })}
        values={values}
        errors={errors}
        className="grid gap-4 max-w-2xl"
      >
        <FormNote errors={errors} />
        <TextField
          name="address"
          label={t('pricing.import_address')}
          help={t('pricing.import_address_help')}
          placeholder="https://gateway.example.com"
          inputMode="url"
          autoComplete="off"
        />
        <JsonField name="table" label={t('pricing.import_table')} help={t('pricing.import_table_help')} rows={5} />
        <span>
          <button type="submit" className={differences ? 'btn' : 'btn btn-primary'}>
            {t('pricing.compare')}
          </button>
        </span>
      </Form>
      <Outcome simulation={simulation} />
      {differences && <Differences differences={differences} picked={picked} />}
    </>
  )
}

function Differences({ differences, picked }: { differences: PriceDifference[]; picked: string[] }) {
  const { t } = usePageContext()
  if (!differences.length) return <Empty drawing="slip" text={t('pricing.no_differences')} />
  const columns: Column<PriceDifference>[] = [
    { id: 'model', head: t('pricing.model'), phone: 'title', cell: row => row.model },
    { id: 'table', head: t('pricing.table'), phone: 'side', cell: row => t(`option.${row.key}`) },
    {
      id: 'change',
      head: t('pricing.ours_theirs'),
      number: true,
      phone: 'figure',
      cell: row => (
        <>
          <span className="ink-3">{row.ours === null ? '–' : plain(row.ours)}</span> → <b>{plain(row.theirs)}</b>
        </>
      ),
    },
  ]
  return (
    <div className="price-differences">
      <h3 className="section-title m-0 mb-2">{t('pricing.differences', { count: differences.length })}</h3>
      <Table
        label={t('pricing.area_import')}
        columns={columns}
        rows={differences}
        keyOf={pickOf}
        nameOf={row => `${row.model} ${t(`option.${row.key}`)}`}
        selectable
        isPicked={row => picked.includes(pickOf(row))}
      />
      {differences.map(row => (
        <input
          key={pickOf(row)}
          type="hidden"
          form="selection"
          name="all[]"
          value={`${row.ours ?? ''}:${pickOf(row)}`}
        />
      ))}
      <SelectionBar action={pricesAction('import/take')} returnTo={settingsAt({ area: 'import' })}>
        <button type="submit" name="action" value="save">
          <Icon of={Check} />
          <span>{t('pricing.take')}</span>
        </button>
        <button type="submit" name="action" value="simulate">
          <Icon of={Scale} />
          <span>{t('pricing.simulate')}</span>
        </button>
      </SelectionBar>
    </div>
  )
}
