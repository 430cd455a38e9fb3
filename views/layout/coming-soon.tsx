/** Placeholder of a page that is not implemented. */
import { Empty } from '../../client/components/empty.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'

export function ComingSoon({ title, version }: { title: string; version: string }) {
  const { t } = usePageContext()
  return (
    <div className="py-16">
      <h1 className="text-xl text-center m-0">{title}</h1>
      <Empty text={t('error.later_text', { version })}>
        <a className="btn" href="/">
          {t('shell.missing_home')}
        </a>
      </Empty>
    </div>
  )
}
