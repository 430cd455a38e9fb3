/** Button that fills in the addresses of the OpenID provider from its discovery document. */
import ScanSearch from 'lucide/dist/esm/icons/scan-search.mjs'
import { Icon } from '../../client/components/icon.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { OutcomeNote } from './outcome-note.tsx'
import { DISCOVERY_PATH, formId, sectionId, type ToolOutcome } from './view.ts'

/** What is typed in the other sections stays. */
const inPlace = {
  'hx-post': DISCOVERY_PATH,
  'hx-include': `#${formId('oidc')}`,
  'hx-target': '#main',
  'hx-swap': 'innerMorph',
  'hx-sync': 'drop',
}

export function Discovery({ outcome }: { outcome?: ToolOutcome }) {
  const { t } = usePageContext()
  return (
    <>
      <OutcomeNote outcome={outcome} />
      <span>
        <button
          type="submit"
          form={formId('oidc')}
          formAction={`${DISCOVERY_PATH}#${sectionId('oidc')}`}
          {...inPlace}
          className="btn btn-sm"
        >
          <Icon of={ScanSearch} small />
          {t('assist.discover')}
        </button>
      </span>
    </>
  )
}
