/** Price options as JSON texts. */
import { JsonField } from '../../client/components/json.tsx'
import { Form } from '../../client/components/link.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import type { RowShape } from '../../src/contracts/option-rows.ts'
import type { GROUP_KEYS, PRICE_TABLES } from '../../src/contracts/pricing.ts'
import { Island } from '../layout/island.tsx'
import { FormNote, type OutcomeProps, SaveBar } from './save-bar.tsx'

export type TableKey = (typeof PRICE_TABLES)[number] | (typeof GROUP_KEYS)[number]

interface TablesProps extends OutcomeProps {
  keys: readonly TableKey[]
  action: string
  returnTo: string
  /** Texts by key; by `read_<key>` the digest of the text that was read. */
  values: Record<string, string>
  /** Those that are edited as rows. */
  shapes: Partial<Record<TableKey, RowShape>>
}

const ROWS = 8

export function Tables({ keys, action, returnTo, values, errors, shapes, ...outcome }: TablesProps) {
  return (
    <Form action={action} returnTo={returnTo} values={values} errors={errors} className="grid gap-5">
      <FormNote errors={errors} />
      {keys.map(key => (
        <div key={key}>
          <Table of={key} shape={shapes[key]} value={values[key] ?? ''} error={errors[key]} />
          <input type="hidden" name={`read_${key}`} value={values[`read_${key}`]} />
        </div>
      ))}
      <SaveBar {...outcome} />
    </Form>
  )
}

interface TableProps {
  of: TableKey
  shape?: RowShape
  value: string
  error?: string
}

function Table({ of: key, shape, value, error }: TableProps) {
  const { t } = usePageContext()
  const texts = { name: key, label: t(`option.${key}`), help: t(`option.${key}_help`) }
  if (!shape) return <JsonField {...texts} rows={ROWS} />
  return <Island {...{ field: { ...texts, id: `field-${key}`, value, error }, shape }} name="option-rows" about={key} />
}
