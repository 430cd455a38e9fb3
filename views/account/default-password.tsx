/** Dialog after a sign-in with the default password. */
import { Dialog } from '../../client/components/drawer.tsx'
import { PageLink } from '../../client/components/link.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'

export function DefaultPassword({ close }: { close: string }) {
  const { t } = usePageContext()
  return (
    <Dialog title={t('login.default_password')} text={t('login.default_password_text')} close={close}>
      <PageLink href={close} className="btn btn-ghost" data-close>
        {t('ui.close')}
      </PageLink>
      <a href="/app/me" className="btn btn-primary" autoFocus>
        {t('login.change_password')}
      </a>
    </Dialog>
  )
}
