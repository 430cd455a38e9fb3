/** Result of a button, beside it. */
import Check from 'lucide/dist/esm/icons/check.mjs'
import CircleAlert from 'lucide/dist/esm/icons/circle-alert.mjs'
import { Icon } from '../../client/components/icon.tsx'
import type { ToolOutcome } from './view.ts'

export const OutcomeNote = ({ outcome }: { outcome?: Pick<ToolOutcome, 'ok' | 'text'> }) =>
  outcome && (
    <div className={outcome.ok ? 'note ok' : 'note error'} role={outcome.ok ? 'status' : 'alert'}>
      <Icon of={outcome.ok ? Check : CircleAlert} />
      <span>{outcome.text}</span>
    </div>
  )
