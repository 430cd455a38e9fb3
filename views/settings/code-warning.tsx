/** What code of the operator can do. */
import TriangleAlert from 'lucide/dist/esm/icons/triangle-alert.mjs'
import { Icon } from '../../client/components/icon.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'

export function CodeWarning() {
  const { t } = usePageContext()
  return (
    <div className="note warning">
      <Icon of={TriangleAlert} />
      <span>{t('assist.code_warning')}</span>
    </div>
  )
}
