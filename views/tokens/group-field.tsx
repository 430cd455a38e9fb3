/** Field for the group of a key. */
import { Field, SelectField } from '../../client/components/field.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import type { GroupOffer } from '../../src/contracts/pricing.ts'

interface GroupFieldProps {
  groups: Record<string, GroupOffer>
  ownGroup: string
  chosen: string
}

export function GroupField({ groups, ownGroup, chosen }: GroupFieldProps) {
  const { t } = usePageContext()
  const names = Object.keys(groups)
  const label = t('token.group')
  if (!names.length)
    return (
      <Field name="group" label={label}>
        {({ id }) => (
          <p id={id} className="help m-0">
            {t('token.no_groups')}
          </p>
        )}
      </Field>
    )
  const options = names.map(name => ({ value: name, label: groupWords(name, groups[name]!) }))
  // A group that the owner may no longer use stays until another is chosen.
  const lost = chosen && !(chosen in groups) ? [{ value: chosen, label: chosen }] : []
  const own = { value: '', label: t('token.own_group', { group: `${ownGroup} ×${groups[ownGroup]?.ratio ?? 1}` }) }
  return <SelectField name="group" label={label} options={[own, ...options, ...lost]} />
}

/** For example `vip ×0.8 · faster channels`. */
export const groupWords = (name: string, { ratio, desc }: GroupOffer) =>
  `${name} ×${ratio}${desc && desc !== name ? ` · ${desc}` : ''}`
