/** Groups and models of a call that could not serve it, in the order in which they were tried. */
import { usePageContext } from '../../client/components/page-context.tsx'
import type { LogDetails } from '../../src/contracts/log.ts'

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
