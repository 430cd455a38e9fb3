/** Filters of the usage log as a sentence. */
import { Filters, PickSelect, Sentence } from '../../client/components/filters.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { PickName } from '../../client/components/picker.tsx'
import { PickRange } from '../../client/components/range.tsx'
import { LOGS_RANGE_DEFAULT } from '../../src/contracts/log.ts'
import { chosenChannel, groupsOf, type LogFiltersProps, typesOf } from './choices.ts'
import { FilterSheet } from './filter-sheet.tsx'
import { KeepStatus } from './keep-status.tsx'
import { filterCount, logsAt } from './view.ts'

export function LogFilters(props: LogFiltersProps) {
  const { t } = usePageContext()
  const controls = useControls(props)
  return (
    <Filters action={logsAt({})} count={filterCount(props.view)} sheet={<FilterSheet {...props} />}>
      <KeepStatus {...props.view} />
      <Sentence text={t(props.isOperator ? 'log.sentence_all' : 'log.sentence_own')} controls={controls} />
    </Filters>
  )
}

/** Controls of the sentence by placeholder. */
function useControls({ view, groups, isOperator, channel: named }: LogFiltersProps) {
  const { t } = usePageContext()
  const { type, username, token_name, model_name, group } = view
  return {
    type: <PickSelect name="type" label={t('log.type')} options={typesOf(t, 'inSentence')} value={type?.toString()} />,
    range: <PickRange {...view} usual={LOGS_RANGE_DEFAULT} />,
    user: (
      <PickName
        of="users"
        id="pick-user"
        name="username"
        label={t('log.user')}
        any={t('log.any_user')}
        value={username}
      />
    ),
    token: (
      <PickName
        of="tokens"
        id="pick-token"
        name="token_name"
        label={t('log.token')}
        any={t('log.any_token')}
        value={token_name}
      />
    ),
    model: (
      <PickName
        of="models"
        id="pick-model"
        name="model_name"
        label={t('log.model')}
        any={t('log.any_model')}
        value={model_name}
      />
    ),
    group: (
      <PickSelect
        name="group"
        label={t('log.group')}
        options={groupsOf(t('log.any_group'), groups, group)}
        value={group}
      />
    ),
    channel: isOperator && (
      <PickName
        of="channels"
        id="pick-channel"
        name="channel"
        label={t('log.channel')}
        any={t('log.any_channel')}
        value={chosenChannel({ view, channel: named })}
        strict
      />
    ),
  }
}
