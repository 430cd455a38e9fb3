/** What administrators know of a task, and what they do with it. */
import RefreshCw from 'lucide/dist/esm/icons/refresh-cw.mjs'
import Undo2 from 'lucide/dist/esm/icons/undo-2.mjs'
import { Flag } from '../../client/components/badge.tsx'
import { Confirm } from '../../client/components/drawer.tsx'
import { Icon } from '../../client/components/icon.tsx'
import { ActionButton, OverlayLink } from '../../client/components/link.tsx'
import { Money } from '../../client/components/money.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { quotaText } from '../../src/billing/quota.ts'
import { ChannelName, UserName } from '../layout/things.tsx'
import { Fact, IdFact, Ms } from './fact.tsx'
import { isUnfinished, type OpenTask, type TaskDetail } from './task.ts'
import { tasksAction, tasksAt } from './view.ts'
import { actionText } from './words.ts'

export function OperationFacts({ task }: { task: TaskDetail }) {
  const { t } = usePageContext()
  const { operations, user_id, username, channel_id, channel_name } = task
  if (!operations) return null
  const { node, upstream_id, cost_usd, is_unknown, deadline_ms } = operations
  return (
    <>
      <Fact name={t('log.user')}>
        <UserName id={user_id} name={username} />
      </Fact>
      {channel_id > 0 && (
        <Fact name={t('log.channel')}>
          <ChannelName id={channel_id} name={channel_name} />
        </Fact>
      )}
      {is_unknown && (
        <Fact name={t('task.outcome')}>
          <Flag tone="warning">{t(upstream_id ? 'task.outcome_found' : 'task.outcome_unknown')}</Flag>
        </Fact>
      )}
      {upstream_id && <IdFact name={t('task.upstream_id')} id={upstream_id} />}
      <Fact name={t('task.node')}>
        <span className="mono">{node}</span>
      </Fact>
      {cost_usd !== undefined && (
        <Fact name={t('task.maker_cost')}>
          <Money of={cost_usd} upTo={6} />
        </Fact>
      )}
      {isUnfinished(task) && (
        <Fact name={t('task.deadline')}>
          <Ms at={deadline_ms} />
        </Fact>
      )}
    </>
  )
}

/** Of an unfinished task. */
export function Operations({ view, task }: OpenTask) {
  const { t } = usePageContext()
  return (
    <>
      {task.operations?.upstream_id && (
        <ActionButton
          action={tasksAction({ log: view.log }, `${task.id}/ask`)}
          returnTo={tasksAt(view, { open: task.id })}
          className="btn"
        >
          <Icon of={RefreshCw} />
          {t('task.ask')}
        </ActionButton>
      )}
      <OverlayLink className="btn btn-ghost" href={tasksAt(view, { fail: task.id })}>
        <Icon of={Undo2} />
        {t('task.fail')}
      </OverlayLink>
    </>
  )
}

export function ConfirmFail({ view, task }: OpenTask) {
  const { t, currency } = usePageContext()
  const { id, action, task_id, mj_id, charged, username } = task
  return (
    <Confirm
      title={t('task.fail_title', { action: actionText(action, t), id: mj_id || task_id })}
      text={t(charged ? 'task.fail_text' : 'task.fail_uncharged', {
        quota: quotaText(charged, currency, 6),
        user: username,
      })}
      close={tasksAt(view)}
      action={tasksAction({ log: view.log }, `${id}/fail`)}
      submit={t('task.fail')}
    />
  )
}
