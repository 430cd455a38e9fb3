/** What is known of a task: state, times, cost, and for administrators where it was sent. */
import { Flag, State, Tag } from '../../client/components/badge.tsx'
import { Copy } from '../../client/components/copy.tsx'
import { OverlayLink } from '../../client/components/link.tsx'
import { Quota } from '../../client/components/money.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { drawingPace, durationPace } from '../../src/pure/severity.ts'
import { ModelName } from '../layout/things.tsx'
import { Duration } from '../logs/cells.tsx'
import { Progress } from './columns.tsx'
import { Fact, IdFact, Ms } from './fact.tsx'
import { OperationFacts } from './operations.tsx'
import { costOf, isUnfinished, type OpenTask, type TaskDetail, tookOf } from './task.ts'
import { tasksAt } from './view.ts'
import { reasonText, stateOf } from './words.ts'

export function TaskFacts({ view, task }: OpenTask) {
  const { t } = usePageContext()
  const { model, group, status, fail_reason, submit_ms, finish_ms, charged, refunded, request_id, origin_id } = task
  const { word, tone } = stateOf(status)
  const took = tookOf(task)
  return (
    <>
      <Fact name={t('task.state')}>
        <State tone={tone}>{t(word)}</State>{' '}
        {isUnfinished(task) && (
          <span className="task-state">
            <Progress task={task} />
          </span>
        )}
        {task.is_deleted && <Flag>{t('task.deleted')}</Flag>}
      </Fact>
      {fail_reason && <Fact name={t('task.reason')}>{reasonText(fail_reason, t)}</Fact>}
      <Prompts view={view} task={task} />
      {task.buttons.length > 0 && <Fact name={t('task.buttons')}>{task.buttons.join(' · ')}</Fact>}
      <Fact name={t('log.model')}>
        <ModelName name={model} className="mono" />
      </Fact>
      <Fact name={t('log.group')}>
        <Tag name={group} ratio={task.price_basis.group_ratio} />
      </Fact>
      <Fact name={t('task.submitted')}>
        <Ms at={submit_ms} />
      </Fact>
      {finish_ms > 0 && (
        <Fact name={t('task.finished')}>
          <Ms at={finish_ms} />
        </Fact>
      )}
      {took !== undefined && (
        <Fact name={t('log.took')}>
          <Duration ms={took} paceOf={view.log === 'drawing' ? drawingPace : durationPace} />
        </Fact>
      )}
      <Fact name={t('log.cost')}>
        <Quota of={costOf(task)} decimals={6} />
        {refunded > 0 && (
          <span className="ink-3">
            {' '}
            {t('task.charged')} <Quota of={charged} decimals={6} />, {t('task.refunded')}{' '}
            <Quota of={refunded} decimals={6} />
          </span>
        )}
      </Fact>
      <IdFact name={t('task.id')} id={task.mj_id || task.task_id} />
      {origin_id && <IdFact name={t('task.origin')} id={origin_id} />}
      {request_id && <IdFact name={t('log.request')} id={request_id} />}
      <OperationFacts task={task} />
    </>
  )
}

/** Cut; whole in their dialogs. */
function Prompts({ view, task: { id, prompt, prompt_en } }: OpenTask) {
  const { t } = usePageContext()
  return (
    <>
      {prompt && (
        <Fact name={t('task.prompt')}>
          <OverlayLink className="line-clamp-3 hover:underline" href={tasksAt(view, { prompt: id })}>
            {prompt}
          </OverlayLink>
        </Fact>
      )}
      {prompt_en && prompt_en !== prompt && (
        <Fact name={t('task.prompt_en')}>
          <OverlayLink className="line-clamp-3 hover:underline" href={tasksAt(view, { prompt_en: id })}>
            {prompt_en}
          </OverlayLink>
        </Fact>
      )}
    </>
  )
}

export function Raw({ task: { raw } }: { task: TaskDetail }) {
  const { t } = usePageContext()
  if (!raw) return null
  return (
    <details className="mt-6">
      <summary className="fold">{t('task.raw')}</summary>
      <div className="raw-json">
        <Copy text={raw} className="icon-button" />
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */}
        <pre tabIndex={0} role="region" aria-label={t('task.raw')}>
          {raw}
        </pre>
      </div>
    </details>
  )
}
