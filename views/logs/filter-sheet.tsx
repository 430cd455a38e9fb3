/** Filters of the usage log as fields, for phones. */
import { SelectField } from '../../client/components/field.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { NameField } from '../../client/components/picker.tsx'
import { RangeField } from '../../client/components/range.tsx'
import { LOGS_RANGE_DEFAULT } from '../../src/contracts/log.ts'
import { chosenChannel, groupsOf, type LogFiltersProps, typesOf } from './choices.ts'
import { KeepStatus } from './keep-status.tsx'

export function FilterSheet({ view, groups, isOperator, channel: named }: LogFiltersProps) {
  const { t } = usePageContext()
  const { type, username, token_name, model_name, group } = view
  const any = t('ui.any')
  return (
    <>
      <KeepStatus {...view} />
      <SelectField name="type" label={t('log.show')} options={typesOf(t, 'label')} value={type} />
      <RangeField {...view} usual={LOGS_RANGE_DEFAULT} />
      <NameField
        of="models"
        name="model_name"
        label={t('log.model')}
        placeholder={any}
        value={model_name}
        help={t('log.model_help')}
      />
      <div className="grid grid-cols-2 gap-3">
        {isOperator && (
          <NameField of="users" name="username" label={t('log.user')} placeholder={any} value={username} />
        )}
        <NameField of="tokens" name="token_name" label={t('log.token')} placeholder={any} value={token_name} />
        <SelectField name="group" label={t('log.group')} options={groupsOf(any, groups, group)} value={group} />
        {isOperator && (
          <NameField
            of="channels"
            name="channel"
            label={t('log.channel')}
            placeholder={any}
            value={chosenChannel({ view, channel: named })}
            strict
          />
        )}
      </div>
    </>
  )
}
