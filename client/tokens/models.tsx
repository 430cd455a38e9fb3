/** Island: models that a token may call, or falls back to. */
import { useQuery } from '@tanstack/react-query'
import { usePageContext } from '../components/page-context.tsx'
import { TagInput } from '../components/tag-input.tsx'
import { callApi } from '../query.ts'

interface TokenModelsProps {
  field: 'model_limits' | 'fallback_models'
  /** Names, separated by commas. */
  value: string
  error?: string
}

export default function TokenModels({ field, value, error }: TokenModelsProps) {
  const { t } = usePageContext()
  const isLimit = field === 'model_limits'
  const { data } = useQuery({ queryKey: ['user-models'], queryFn: () => callApi<string[]>('GET', '/api/user/models') })
  return (
    <TagInput
      name={field}
      label={t(isLimit ? 'picker.models' : 'picker.fallback_models')}
      help={t(isLimit ? 'picker.models_help' : 'picker.fallback_models_help')}
      placeholder={t('picker.add_model')}
      value={value}
      error={error}
      suggestionsFor={() => data ?? []}
    />
  )
}
