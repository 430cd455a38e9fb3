/** Error pages. */
import { Empty, ErrorNotice } from '../../client/components/empty.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'

export function NotFound() {
  const { t } = usePageContext()
  return (
    <div className="py-16">
      <h1 className="text-xl text-center m-0">{t('shell.missing')}</h1>
      <Empty text={t('shell.missing_text')}>
        <a className="btn btn-primary" href="/">
          {t('shell.missing_home')}
        </a>
      </Empty>
    </div>
  )
}

/** Page of any other error. */
export function ErrorPage({ message, retry, request_id }: { message: string; retry?: string; request_id: string }) {
  const { t } = usePageContext()
  return (
    <div className="public py-10">
      <ErrorNotice title={t('shell.broken')} text={message} retry={retry} request_id={request_id} />
    </div>
  )
}
