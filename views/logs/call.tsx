/** The page of a call: where its time went, why this channel, and what it ran into. No content is on it. */
import { Chip, Chips, State } from '../../client/components/badge.tsx'
import { Empty } from '../../client/components/empty.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { PageHead } from '../../client/components/page-head.tsx'
import { PagePart } from '../../client/components/page-part.tsx'
import { balanceText } from '../../src/billing/quota.ts'
import { nameText } from '../../src/contracts/budget-words.ts'
import { grouped } from '../../src/pure/number.ts'
import { seconds } from '../../src/pure/time.ts'
import { CallChoice } from './call-choice.tsx'
import { CallSteps } from './call-steps.tsx'
import type { CallView } from './call-view.ts'
import { isConsumption } from './entry.ts'
import { AskedAndAnswered } from './passed-over.tsx'
import { logsAt } from './view.ts'

export function CallPage({ call }: { call: CallView }) {
  const { t } = usePageContext()
  const { request_id, entry, record, selection } = call
  return (
    <>
      <PageHead title={entry?.model_name || t('call.title')} small={<span className="mono call-id">{request_id}</span>}>
        <a className="btn" href={logsAt({}, entry && { open: entry.id })}>
          {t('log.title')}
        </a>
      </PageHead>
      <Figures call={call} />
      <div className="call-parts">
        <PagePart title={t('call.steps')} small={t('call.steps_note')}>
          <CallSteps record={record} selection={selection} />
        </PagePart>
        {entry?.details.passed_over && (
          <PagePart title={t('call.fallbacks')}>
            <AskedAndAnswered entry={entry} />
          </PagePart>
        )}
        {selection && (
          <PagePart title={t('call.why')}>
            <CallChoice record={record} selection={selection} entry={entry} />
          </PagePart>
        )}
        <PagePart title={t('call.limits')}>
          <Limits call={call} />
        </PagePart>
      </div>
    </>
  )
}

/** Instead of a call without a record. */
export function NoCall() {
  const { t } = usePageContext()
  return (
    <>
      <PageHead title={t('call.title')} />
      <Empty drawing="slip" text={t('call.not_found')}>
        <a className="btn" href={logsAt({})}>
          {t('log.title')}
        </a>
      </Empty>
    </>
  )
}

const NONE = '—'

function Figures({ call: { record, entry } }: { call: CallView }) {
  const { t, currency } = usePageContext()
  const { attempts, times } = record
  const last = attempts.at(-1)
  const first = last?.first
  const outcome = !last ? 'refused' : last.status === 200 ? 'answered' : 'failed'
  const inSeconds = (ms: number) => t('time.seconds', { value: seconds(ms / 1000) })
  return (
    <Chips>
      <Chip
        label={t('call.outcome')}
        value={<State tone={outcome === 'answered' ? 'open' : 'stopped'}>{t(`call.${outcome}`)}</State>}
      />
      <Chip label={t('log.took')} value={inSeconds(times.ended)} />
      <Chip label={t('log.first')} value={first === undefined ? NONE : inSeconds(first)} />
      <Chip label={t('call.attempts')} value={grouped(attempts.length + record.attempts_left_out)} />
      {entry && isConsumption(entry) && <Chip label={t('log.cost')} value={balanceText(entry.quota, currency)} />}
    </Chips>
  )
}

function Limits({ call: { record, budgets } }: { call: CallView }) {
  const { t } = usePageContext()
  if (!record.limits.length) return <p className="help m-0">{t('call.no_limits')}</p>
  return (
    <ul className="report-list">
      {record.limits.map(({ limit, value }) => (
        <li key={`${limit} ${value}`}>
          <State tone="limited">
            {t(`call.limit_${limit}`, {
              count: grouped(value),
              id: value,
              name: nameText(budgets?.get(value) ?? `#${value}`, t),
            })}
          </State>
        </li>
      ))}
    </ul>
  )
}
