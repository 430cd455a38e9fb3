/** Filters of the usage log as a sentence. */
import { Filters, PickSelect, Sentence } from '../../client/components/filters.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { PickName } from '../../client/components/picker.tsx'
import { chosenChannel, groupsOf, type LogFiltersProps, rangesOf, rangeValue, typesOf } from './choices.ts'
import { FilterSheet } from './filter-sheet.tsx'
import { filterCount, type LogsView, logsAt } from './view.ts'

export function LogFilters(props: LogFiltersProps) {
  const { t } = usePageContext()
  const controls = useControls(props)
  return (
    <Filters action={logsAt({})} count={filterCount(props.view)} sheet={<FilterSheet {...props} />}>
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
    range: <PickRange view={view} />,
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

function PickRange({ view: { range, from, to } }: { view: LogsView }) {
  const { t } = usePageContext()
  return (
    <>
      <PickSelect name="range" label={t('log.time')} options={rangesOf(t)} value={rangeValue(range)} />
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
