/** Filters of the audit log as a sentence, and as fields on phones. */
import { TextField } from '../../client/components/field.tsx'
import { Filters, PickSelect, PickText, Sentence, SheetSelect } from '../../client/components/filters.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { NameField, PickName } from '../../client/components/picker.tsx'
import { PickRange, RangeField } from '../../client/components/range.tsx'
import { AUDIT_ACTIONS } from '../../src/contracts/audit-log.ts'
import type { Translate } from '../../src/locales/index.ts'
import { actionText } from './change.tsx'
import { type AuditView, auditAt, filterCount } from './view.ts'

export function AuditFilters({ view }: { view: AuditView }) {
  const { t } = usePageContext()
  const controls = {
    action: (
      <PickSelect
        name="action"
        label={t('audit.action')}
        options={actionsOf(t, t('audit.any_action'))}
        value={view.action}
      />
    ),
    actor: (
      <PickName
        of="users"
        id="pick-actor"
        name="actor"
        label={t('audit.actor')}
        any={t('audit.any_actor')}
        value={view.actor}
      />
    ),
    target: <PickText name="keyword" label={t('audit.target')} any={t('audit.any_target')} value={view.keyword} />,
    range: <PickRange range={view.range} from={view.from} to={view.to} usual={undefined} />,
  }
  return (
    <Filters action={auditAt({})} count={filterCount(view)} sheet={<Sheet view={view} />}>
      <Sentence text={t('audit.sentence')} controls={controls} />
    </Filters>
  )
}

const actionsOf = (t: Translate, any: string) => [
  { value: '', label: any },
  ...AUDIT_ACTIONS.map(action => ({ value: action, label: actionText({ action }, t) })),
]

function Sheet({ view }: { view: AuditView }) {
  const { t } = usePageContext()
  return (
    <>
      <SheetSelect
        name="action"
        label={t('audit.action')}
        options={actionsOf(t, t('audit.any_action'))}
        value={view.action}
      />
      <div className="grid grid-cols-2 gap-3">
        <NameField of="users" name="actor" label={t('audit.actor')} placeholder={t('ui.any')} value={view.actor} />
        <TextField
          name="keyword"
          label={t('audit.target')}
          placeholder={t('ui.any')}
          value={view.keyword}
          autoComplete="off"
        />
      </div>
      <RangeField range={view.range} from={view.from} to={view.to} usual={undefined} />
    </>
  )
}
