/** Toast: success closes by itself, an error stays until it is closed. */
import X from 'lucide-react/icons/x'
import { State } from './badge.tsx'
import { Icon } from './icon.tsx'
import { usePageContext } from './page-context.tsx'

export interface Notice {
  kind: 'success' | 'error'
  text: string
  /** Shown below an error. */
  request_id?: string
}

export function Toast({ kind, text, request_id }: Notice) {
  const { t } = usePageContext()
  return (
    <tollgate-toast kind={kind}>
      <div className="toast-box">
        <State arm={kind === 'success' ? 'open' : 'stopped'}>
          <span className="sr-only">{t(kind === 'success' ? 'part.done' : 'part.error')}</span>
        </State>
        <div>
          <p>{text}</p>
          {request_id && <p className="help mono">{request_id}</p>}
        </div>
        <button type="button" className="icon-button !min-w-7 !h-7" aria-label={t('part.close')}>
          <Icon of={X} />
        </button>
      </div>
    </tollgate-toast>
  )
}
