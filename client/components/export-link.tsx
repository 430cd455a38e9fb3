/** Link that downloads a list as CSV. */
import Download from 'lucide/dist/esm/icons/download.mjs'
import { Icon } from './icon.tsx'
import { usePageContext } from './page-context.tsx'

export function ExportLink({ href }: { href: string }) {
  const { t } = usePageContext()
  return (
    <a className="btn max-sm:!px-3" href={href} aria-label={t('ui.export')} download>
      <Icon of={Download} />
      <span className="wide-only">{t('ui.export')}</span>
    </a>
  )
}
