/** Toast: success closes by itself, an error stays until it is closed. */
import X from 'lucide/dist/esm/icons/x.mjs'
import { State } from './badge.tsx'
import { Icon } from './icon.tsx'
import { ActionButton } from './link.tsx'
import { usePageContext } from './page-context.tsx'

export interface Notice {
  kind: 'success' | 'error'
  text: string
  /** Shown below an error. */
  request_id?: string
  /** Takes the change back: POST path, and the page after it. */
  undo?: { action: string; returnTo: string }
}

interface ToastProps extends Notice {
  /** Has a hidden button that sends the failed request again, for the browser code to show. */
  retry?: boolean
}

export function Toast({ kind, text, request_id, undo, retry }: ToastProps) {
  const { t } = usePageContext()
  return (
    <tollgate-toast kind={kind}>
      <div className="toast-box">
        <State tone={kind === 'success' ? 'open' : 'stopped'}>
          <span className="sr-only">{t(kind === 'success' ? 'ui.done' : 'ui.error')}</span>
        </State>
        <div>
          <p>{text}</p>
          {request_id && <p className="help mono">{request_id}</p>}
        </div>
        {undo && (
          <ActionButton {...undo} className="btn btn-sm">
            {t('ui.undo')}
          </ActionButton>
        )}
        {retry && (
          <button type="button" className="btn btn-ghost btn-sm" data-retry hidden>
            {t('ui.retry')}
          </button>
        )}
        <button type="button" className="icon-button !min-w-7 !h-7" data-close-toast aria-label={t('ui.close')}>
          <Icon of={X} />
        </button>
      </div>
    </tollgate-toast>
  )
}
