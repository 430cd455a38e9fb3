/** Checkboxes for the groups of a channel; none ticked means the default group. */
import { Tag } from '../../client/components/badge.tsx'
import { ErrorText } from '../../client/components/field.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'

export interface GroupChoiceProps {
  groups: { name: string; ratio: number }[]
  /** Group names, separated by commas. */
  chosen: string
  error?: string
}

export function GroupChoice({ groups, chosen, error }: GroupChoiceProps) {
  const { t } = usePageContext()
  const ticked = new Set(chosen.split(','))
  return (
    <fieldset className="field !gap-1.5 !border-0 !p-0" aria-describedby={error ? 'field-group-error' : undefined}>
      <legend>
        <span className="label-text">{t('channel.groups')}</span>
      </legend>
      <div className="flex flex-wrap gap-x-5 sm:gap-y-2">
        {groups.map(({ name, ratio }) => (
          <label key={name} className="inline-flex items-center gap-2">
            <input type="checkbox" className="checkbox" name="group[]" value={name} defaultChecked={ticked.has(name)} />
            <Tag name={name} ratio={ratio} />
          </label>
        ))}
      </div>
      {error && <ErrorText id="field-group-error">{error}</ErrorText>}
    </fieldset>
  )
}
