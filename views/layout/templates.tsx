/** What the browser code shows without asking the server: the copy dialog, banners, and the bar of what is under way. */
import CloudOff from 'lucide/dist/esm/icons/cloud-off.mjs'
import RefreshCw from 'lucide/dist/esm/icons/refresh-cw.mjs'
import X from 'lucide/dist/esm/icons/x.mjs'
import type { ReactNode } from 'react'
import { Icon } from '../../client/components/icon.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { ME_PATH } from '../../src/contracts/profile.ts'

/** Closed by the page that has opened it, it need not show much. */
const SIGN_IN = `/login?${new URLSearchParams({ expired: 'true', returnTo: ME_PATH })}`

export function Templates() {
  const { t } = usePageContext()
  return (
    <>
      <div id="progress" popover="manual" aria-hidden="true" />
      <div id="banners" role="status" />
      <template id="banner-offline">
        <Banner name="offline" icon={CloudOff} text={t('ui.offline')} act="retry" button={t('ui.retry')} />
      </template>
      <template id="banner-version">
        <Banner name="version" icon={RefreshCw} text={t('ui.new_version')} act="reload" button={t('ui.refresh')}>
          <button type="button" className="icon-button" data-act="close" aria-label={t('ui.close')}>
            <Icon of={X} />
          </button>
        </Banner>
      </template>
      <template id="session-template">
        <dialog className="layer" aria-labelledby="session-title">
          <div className="dialog">
            <h3 id="session-title">{t('ui.session_over')}</h3>
            <p>{t('ui.session_over_help')}</p>
            <div className="buttons">
              <a className="btn btn-ghost" data-leave-page href="/login">
                {t('ui.leave_page')}
              </a>
              <a className="btn btn-primary" data-sign-in href={SIGN_IN} target="_blank" autoFocus rel="noopener">
                {t('ui.sign_in_again')}
              </a>
            </div>
          </div>
        </dialog>
      </template>
      <template id="copy-template">
        <dialog className="layer" aria-labelledby="copy-title">
          <form method="dialog" className="dialog">
            <h3 id="copy-title">{t('ui.copy_by_hand')}</h3>
            <textarea
              className="textarea mono mt-2"
              rows={4}
              readOnly
              autoFocus
              spellCheck={false}
              aria-labelledby="copy-title"
            />
            <div className="buttons">
              <button type="submit" className="btn">
                {t('ui.close')}
              </button>
            </div>
          </form>
        </dialog>
      </template>
    </>
  )
}

interface BannerProps {
  name: string
  icon: typeof X
  text: string
  act: string
  button: string
  children?: ReactNode
}

const Banner = ({ name, icon, text, act, button, children }: BannerProps) => (
  <div className="banner" data-banner={name}>
    <Icon of={icon} />
    <span>{text}</span>
    <button type="button" className="btn btn-sm" data-act={act}>
      {button}
    </button>
    {children}
  </div>
)
