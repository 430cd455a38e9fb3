/** The steps of a call as a waterfall: a row each, with its bar on the time of the whole call. */
import { Fragment } from 'react'
import { State } from '../../client/components/badge.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import type { CallRecord, RecordedAttempt } from '../../src/contracts/call-record.ts'
import { grouped } from '../../src/pure/number.ts'
import { ChannelName } from '../layout/things.tsx'
import { type CallSelection, type Step, settling, stepsBefore, stepsOf } from './call-view.ts'

interface StepsProps {
  record: CallRecord
  selection?: CallSelection
}

export function CallSteps({ record, selection }: StepsProps) {
  const { t } = usePageContext()
  const total = Math.max(1, record.times.written)
  return (
    <table className="waterfall" aria-label={t('call.steps')}>
      <thead>
        <tr>
          <th scope="col">{t('call.step')}</th>
          <td aria-hidden="true" />
          <th scope="col" className="number">
            {t('call.from')}
          </th>
          <th scope="col" className="number">
            {t('call.took')}
          </th>
        </tr>
      </thead>
      <tbody>
        {stepsBefore(record).map(step => (
          <Row key={step.kind} step={step} total={total} tone="own" />
        ))}
      </tbody>
      {record.attempts.map((attempt, at) => {
        const left_out = at === record.attempts.length - 1 ? record.attempts_left_out : 0
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: what has happened keeps its order
          <Fragment key={at}>
            {left_out > 0 && (
              <tbody>
                <tr>
                  <th scope="rowgroup" colSpan={4} className="help">
                    {t('call.attempts_left_out', { count: left_out })}
                  </th>
                </tr>
              </tbody>
            )}
            <Attempt attempt={attempt} number={at + 1 + left_out} total={total} selection={selection} />
          </Fragment>
        )
      })}
      <tbody>
        <tr className="gap">
          <td colSpan={4} />
        </tr>
        <Row step={settling(record)} total={total} tone="own" />
      </tbody>
    </table>
  )
}

interface AttemptProps {
  attempt: RecordedAttempt
  number: number
  total: number
  selection?: CallSelection
}

function Attempt({ attempt, number, total, selection }: AttemptProps) {
  const { t } = usePageContext()
  const { channel, status, reason } = attempt
  const isAnswered = status === 200
  const outcome = selection && status ? String(status) : t(isAnswered ? 'call.answered' : 'call.failed')
  return (
    <tbody>
      <tr>
        <th scope="rowgroup" colSpan={4} className="attempt">
          {t('call.attempt', { number })}
          {selection && (
            <>
              {' · '}
              <ChannelName id={channel} name={selection.names.get(channel) ?? ''} />
            </>
          )}{' '}
          <State tone={isAnswered ? 'open' : 'stopped'}>{outcome}</State>
          {reason && <span className="reason">{reason}</span>}
        </th>
      </tr>
      {stepsOf(attempt).map(step => (
        <Row key={step.kind} step={step} total={total} tone={isAnswered ? 'upstream' : 'failed'} />
      ))}
    </tbody>
  )
}

interface RowProps {
  step: Step
  total: number
  tone: 'own' | 'upstream' | 'failed'
}

function Row({ step: { kind, from, to }, total, tone }: RowProps) {
  const { t } = usePageContext()
  const share = (ms: number) => `${((Math.min(ms, total) / total) * 100).toFixed(2)}%`
  return (
    <tr>
      <th scope="row">{t(`call.step_${kind}`)}</th>
      <td aria-hidden="true" className="span">
        <i className={tone} style={{ marginLeft: share(from), width: share(to - from) }} />
      </td>
      <td className="number">{grouped(from)}</td>
      <td className="number">{grouped(to - from)}</td>
    </tr>
  )
}
