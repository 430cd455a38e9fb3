/** Notice that the provider has ended the service of a type. */
import type { ReactNode } from 'react'
import type { EndedService } from '../../src/contracts/provider-choice.ts'
import { nameIn } from '../../src/locales/makers.ts'
import { usePageContext } from '../components/page-context.tsx'

/** @param children what can be done about it */
export function EndedNote({ ended, children }: { ended: EndedService; children?: ReactNode }) {
  const { t, language } = usePageContext()
  const { on, successor } = ended
  return (
    <p className="note warning m-0 flex-wrap">
      <span className="flex-1 basis-56">
        {on ? t('provider.ended_on', { date: on }) : t('provider.ended')}
        {successor && ` ${t('provider.ended_successor', { label: nameIn(language, successor.label) })}`}
      </span>
      {children}
    </p>
  )
}
