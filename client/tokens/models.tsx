/** Island: models that a token may call. */
import { useQuery } from '@tanstack/react-query'
import { usePageContext } from '../components/page-context.tsx'
import { TagInput } from '../components/tag-input.tsx'
import { callApi } from '../query.ts'

interface TokenModelsProps {
  /** Names, separated by commas. */
  value: string
  error?: string
}

export default function TokenModels({ value, error }: TokenModelsProps) {
  const { t } = usePageContext()
  const { data } = useQuery({ queryKey: ['user-models'], queryFn: () => callApi<string[]>('GET', '/api/user/models') })
  return (
    <TagInput
      name="model_limits"
      label={t('picker.models')}
      help={t('picker.models_help')}
      placeholder={t('picker.add_model')}
      value={value}
      error={error}
      suggestionsFor={() => data ?? []}
    />
  )
}
