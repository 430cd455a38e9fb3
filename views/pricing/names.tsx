/** Dialog with the names of the chosen models, to copy. */
import { Copy } from '../../client/components/copy.tsx'
import { Dialog } from '../../client/components/drawer.tsx'
import { PageLink } from '../../client/components/link.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'

export function Names({ names, close }: { names: string[]; close: string }) {
  const { t } = usePageContext()
  const text = names.join(',')
  return (
    <Dialog
      title={t('pricing.names', { count: names.length })}
      close={close}
      facts={
        <textarea className="textarea mono" readOnly rows={6} aria-label={t('pricing.model')} defaultValue={text} />
      }
    >
      <PageLink href={close} className="btn btn-ghost" data-close>
        {t('ui.close')}
      </PageLink>
      <Copy text={text} className="btn btn-primary">
        {t('ui.copy')}
      </Copy>
    </Dialog>
  )
}
