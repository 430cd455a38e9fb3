/** The operator's announcement on the home page. Closing it is a form that sets a cookie: it works without JavaScript. */
import Megaphone from 'lucide/dist/esm/icons/megaphone.mjs'
import X from 'lucide/dist/esm/icons/x.mjs'
import { Icon } from '../../client/components/icon.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'

export interface AnnouncementProps {
  /** Digest of the text. */
  id: string
  /** Sanitised. */
  html: string
}

export function Announcement({ id, html }: AnnouncementProps) {
  const { t } = usePageContext()
  return (
    <aside className="operator-notice" aria-label={t('branding.notice')}>
      <div className="public">
        <Icon of={Megaphone} />
        <div className="message-text" dangerouslySetInnerHTML={{ __html: html }} />
        <form method="post" action="/preferences">
          <input type="hidden" name="returnTo" value="/" />
          <button
            type="submit"
            className="icon-button"
            name="notice-read"
            value={id}
            aria-label={t('branding.close_notice')}
          >
            <Icon of={X} />
          </button>
        </form>
      </div>
    </aside>
  )
}
