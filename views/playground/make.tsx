/** The page of the playground's tab that makes pictures, songs and videos. */
import { usePageContext } from '../../client/components/page-context.tsx'
import { PageHead } from '../../client/components/page-head.tsx'
import type { MakeProps } from '../../client/playground/make.tsx'
import { MAKE_PATH, PLAYGROUND_PATH } from '../../src/contracts/playground.ts'
import { Island } from '../layout/island.tsx'

export function Make({ user_id, ...props }: MakeProps & { user_id: number }) {
  const { t } = usePageContext()
  const tabs = [
    { href: PLAYGROUND_PATH, title: t('make.chat') },
    { href: MAKE_PATH, title: t('playground.make') },
  ]
  return (
    <>
      <PageHead title={t('playground.title')} />
      <nav className="page-tabs" aria-label={t('playground.title')}>
        {tabs.map(({ href, title }) => (
          <a key={href} href={href} aria-current={href === MAKE_PATH ? 'page' : undefined}>
            {title}
          </a>
        ))}
      </nav>
      <div className="script-only">
        <Island name="playground-make" about={user_id} {...props} />
      </div>
      <noscript>
        <p>{t('make.without_script')}</p>
      </noscript>
    </>
  )
}
