import { Dialog } from '../../client/components/drawer.tsx'
import { Go } from '../../client/components/link.tsx'
import { useReader } from '../../client/components/page-context.tsx'

/** Lies over the page that a sign-in leads to when the password was the one that everyone knows. */
export function DefaultPassword({ close }: { close: string }) {
  const { t } = useReader()
  return (
    <Dialog title={t('login.default_password')} text={t('login.default_password_text')} close={close}>
      <Go href={close} className="btn btn-ghost" data-close>
        {t('part.close')}
      </Go>
      <a href="/app/me" className="btn btn-primary" autoFocus>
        {t('login.change_password')}
      </a>
    </Dialog>
  )
}
