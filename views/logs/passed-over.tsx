/** Groups and models of a call that could not serve it, in the order in which they were tried. */
import { State } from '../../client/components/badge.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import type { LogDetails } from '../../src/contracts/log.ts'
import { isConsumption, type LogEntryView } from './entry.ts'

export function PassedOver({ passed }: { passed: NonNullable<LogDetails['passed_over']> }) {
  const { t } = usePageContext()
  return (
    <ul className="m-0 list-none p-0">
      {passed.map(({ group, model, why }) => (
        <li key={`${group} ${model}`}>
          <span className="mono">{model}</span> · {group}: <span className="ink-2">{t(`log.passed_${why}`)}</span>
        </li>
      ))}
    </ul>
  )
}

/** What was asked for, what was tried in its place, and what has answered, in order. */
export function AskedAndAnswered({ entry }: { entry: LogEntryView }) {
  const { t } = usePageContext()
  const { model_name, group, details } = entry
  const isAnswered = isConsumption(entry)
  return (
    <ol className="report-list">
      {details.passed_over?.map(({ group, model, why }) => (
        <li key={`${group} ${model}`}>
          <span className="what">
            <span className="mono">{model}</span> · {group}
          </span>{' '}
          <State tone="limited">{t(`log.passed_${why}`)}</State>
        </li>
      ))}
      <li>
        <span className="what">
          <span className="mono">{model_name}</span> · {group}
        </span>{' '}
        <State tone={isAnswered ? 'open' : 'stopped'}>{t(isAnswered ? 'call.answered' : 'call.failed')}</State>
      </li>
    </ol>
  )
}
