/** Footer of public pages: the operator's, or name, version and links. */
import { usePageContext } from '../../client/components/page-context.tsx'
import { AVAILABILITY_PATH } from '../../src/contracts/availability.ts'
import type { Visit } from '../../src/contracts/visit.ts'
import { docsAt } from '../layout/menu.ts'

/** @param html sanitised; empty for the built-in footer */
export const PublicFooter = ({ visit, html }: { visit: Visit; html: string }) =>
  html ? (
    <div className="public">
      <OperatorFooter html={html} />
    </div>
  ) : (
    <BuiltInFooter visit={visit} />
  )

export const OperatorFooter = ({ html }: { html: string }) => (
  <footer className="page-foot" dangerouslySetInnerHTML={{ __html: html }} />
)

function BuiltInFooter({ visit: { status } }: { visit: Visit }) {
  const { t } = usePageContext()
  const links = [
    { href: '/about', label: t('shell.about') },
    { href: '/pricing', label: t('shell.pricing') },
    ...(status.status_page_enabled ? [{ href: AVAILABILITY_PATH, label: t('availability.title') }] : []),
    { href: docsAt(status), label: t('shell.docs') },
  ]
  return (
    <footer className="public home-foot">
      <span className="help">
        {status.system_name} {status.version}
        {links.map(({ href, label }) => (
          <span key={href}>
            {' · '}
            <a className="text" href={href}>
              {label}
            </a>
          </span>
        ))}
      </span>
    </footer>
  )
}
