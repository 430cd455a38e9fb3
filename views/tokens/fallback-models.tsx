/** Field for the models that a key falls back to, in their order. */
import Plus from 'lucide/dist/esm/icons/plus.mjs'
import { Icon } from '../../client/components/icon.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { Island } from '../layout/island.tsx'

interface FallbackModelsProps {
  /** Id of the edited key. */
  about: number | string
  /** Model names, separated by commas. */
  value: string
  error?: string
}

export function FallbackModels({ about, value, error }: FallbackModelsProps) {
  const { t } = usePageContext()
  return (
    <details className="added" open={value !== '' || error !== undefined}>
      <summary>
        <Icon of={Plus} small />
        {t('token.fallback_models')}
      </summary>
      <Island name="token-models" field="fallback_models" about={`fallbacks-of-${about}`} value={value} error={error} />
    </details>
  )
}
