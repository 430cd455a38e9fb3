/** Filters of a list of tasks as a sentence. */
import { SelectField, TextField } from '../../client/components/field.tsx'
import { Filters, PickSelect, PickText, Sentence } from '../../client/components/filters.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { NameField, PickName } from '../../client/components/picker.tsx'
import { PickRange, RangeField } from '../../client/components/range.tsx'
import { channelText } from '../../src/contracts/suggestion.ts'
import { TASK_STATES, type TaskLog, taskLogRanges } from '../../src/contracts/task-list.ts'
import type { Translate } from '../../src/locales/index.ts'
import { filterCount, rangeOf, type TasksView, tasksAt } from './view.ts'
import { actionOptions } from './words.ts'

interface TaskFiltersProps {
  view: TasksView
  /** Administrators filter by user and channel too. */
  isOperator: boolean
  /** The chosen channel, when it still exists. */
  channel?: { id: number; name: string }
}

export function TaskFilters(props: TaskFiltersProps) {
  const { t } = usePageContext()
  const { view, isOperator } = props
  const controls = useControls(props)
  return (
    <Filters action={tasksAt({ log: view.log })} count={filterCount(view)} sheet={<FilterSheet {...props} />}>
      <Sentence text={t(isOperator ? 'task.sentence_all' : 'task.sentence_own')} controls={controls} />
    </Filters>
  )
}

const labelOfId = (log: TaskLog, t: Translate) => t(log === 'drawing' ? 'task.mj_id' : 'task.task_id')

/** The first means any. */
const stateOptions = (t: Translate, any: string) => [
  { value: '', label: any },
  ...TASK_STATES.map(state => ({ value: state, label: t(stateWords[state]) })),
]

const stateWords = {
  unfinished: 'task.unfinished',
  SUCCESS: 'task.succeeded',
  FAILURE: 'task.failed',
} as const

/** Text of the chosen channel, of which only the number is known once it is deleted. */
const chosenChannel = ({ view, channel }: TaskFiltersProps) =>
  channel ? channelText(channel) : view.channel === undefined ? undefined : `#${view.channel}`

/** By placeholder. */
function useControls(props: TaskFiltersProps) {
  const { t } = usePageContext()
  const { view, isOperator } = props
  const { log, from, to, state, action, task, username } = view
  return {
    state: (
      <PickSelect name="state" label={t('task.state')} options={stateOptions(t, t('task.any_state'))} value={state} />
    ),
    action: <PickSelect name="action" label={t('task.action')} options={actionOptions(log, t)} value={action} />,
    range: <PickRange range={rangeOf(view)} from={from} to={to} usual={taskLogRanges[log]} />,
    id: <PickText name="task" label={labelOfId(log, t)} any={t('task.any_id')} value={task} />,
    user: isOperator && (
      <PickName
        of="users"
        id="pick-user"
        name="username"
        label={t('log.user')}
        any={t('log.any_user')}
        value={username}
      />
    ),
    channel: isOperator && (
      <PickName
        of="channels"
        id="pick-channel"
        name="channel"
        label={t('log.channel')}
        any={t('log.any_channel')}
        value={chosenChannel(props)}
        strict
      />
    ),
  }
}

/** As fields, for phones. */
function FilterSheet(props: TaskFiltersProps) {
  const { t } = usePageContext()
  const { view, isOperator } = props
  const { log, from, to, state, action, task, username } = view
  const any = t('ui.any')
  const [, ...actions] = actionOptions(log, t)
  return (
    <>
      <SelectField name="state" label={t('task.state')} options={stateOptions(t, any)} value={state} />
      <SelectField
        name="action"
        label={t('task.action')}
        options={[{ value: '', label: any }, ...actions]}
        value={action}
      />
      <RangeField range={rangeOf(view)} from={from} to={to} usual={taskLogRanges[log]} />
      <TextField name="task" label={labelOfId(log, t)} placeholder={any} value={task} />
      {isOperator && (
        <div className="grid grid-cols-2 gap-3">
          <NameField of="users" name="username" label={t('log.user')} placeholder={any} value={username} />
          <NameField
            of="channels"
            name="channel"
            label={t('log.channel')}
            placeholder={any}
            value={chosenChannel(props)}
            strict
          />
        </div>
      )}
    </>
  )
}
