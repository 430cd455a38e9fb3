/** Fields for the groups that a key falls back to, in their order. */
import Plus from 'lucide/dist/esm/icons/plus.mjs'
import { ErrorText } from '../../client/components/field.tsx'
import { Icon } from '../../client/components/icon.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import type { GroupOffer } from '../../src/contracts/pricing.ts'
import { FALLBACK_GROUPS_MAX } from '../../src/contracts/token.ts'
import { commaList } from '../../src/pure/lists.ts'
import { groupWords } from './group-field.tsx'

interface FallbackGroupsProps {
  groups: Record<string, GroupOffer>
  /** Group names, separated by commas. */
  chosen: string
  error?: string
}

/** Fields that are free beside those that are filled; saving adds more. */
const FREE = 2
const ERROR_ID = 'field-fallback-groups-error'

/** Nothing where there is no second group to fall back to. */
export function FallbackGroups({ groups, chosen, error }: FallbackGroupsProps) {
  const { t } = usePageContext()
  const filled = commaList(chosen)
  const names = [...new Set([...Object.keys(groups), ...filled])]
  const fields = Math.min(filled.length + FREE, Math.max(filled.length, names.length - 1), FALLBACK_GROUPS_MAX)
  if (!fields) return null
  return (
    <details className="added" open={filled.length > 0 || error !== undefined}>
      <summary>
        <Icon of={Plus} small />
        {t('token.fallback_groups')}
      </summary>
      <fieldset className="field !border-0 !p-0" aria-describedby={error ? ERROR_ID : undefined}>
        <legend className="sr-only">{t('token.fallback_groups')}</legend>
        <p className="help m-0">{t('token.fallback_groups_help')}</p>
        {Array.from({ length: fields }, (_, at) => (
          <select
            // biome-ignore lint/suspicious/noArrayIndexKey: the place of a field is what it means
            key={at}
            className="select w-full"
            name="fallback_groups[]"
            aria-label={t('token.fallback_group', { n: at + 1 })}
            aria-invalid={error ? true : undefined}
            defaultValue={filled[at] ?? ''}
          >
            <option value="">{t('token.no_fallback_group')}</option>
            {names.map(name => (
              <option key={name} value={name}>
                {name in groups ? groupWords(name, groups[name]!) : name}
              </option>
            ))}
          </select>
        ))}
        {error && <ErrorText id={ERROR_ID}>{error}</ErrorText>}
      </fieldset>
    </details>
  )
}
