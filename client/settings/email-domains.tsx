/** Island: e-mail domains as chips; each is checked as it is added. Without scripts the list is a textarea. */
import Plus from 'lucide/dist/esm/icons/plus.mjs'
import { type KeyboardEvent, useState } from 'react'
import { isEmailDomain } from '../../src/contracts/address.ts'
import { RemovableChip } from '../components/chip.tsx'
import { ErrorText, Field } from '../components/field.tsx'
import { Icon } from '../components/icon.tsx'
import { usePageContext } from '../components/page-context.tsx'
import type { TextSetting } from './text-setting.ts'
import { useTextStore } from './text-store.ts'

const domainsIn = (text: string) => text.split(/[\s,，]+/).filter(Boolean)

type Outcome = 'assist.domain_bad' | 'assist.domain_twice' | 'assist.domain_added'

/** Adds domains up to the first one that is refused, which waits in the field with those after it. */
function withTyped(domains: string[], typed: string[]): { added: string[]; waiting: string[]; result?: Outcome } {
  const added = [...domains]
  for (const [at, domain] of typed.entries()) {
    const waiting = typed.slice(at)
    if (!isEmailDomain(domain)) return { added, waiting, result: 'assist.domain_bad' }
    if (added.includes(domain)) return { added, waiting, result: 'assist.domain_twice' }
    added.push(domain)
  }
  return { added, waiting: [], result: typed.length ? 'assist.domain_added' : undefined }
}

/** Starts anew with each text of the server. */
export default ({ field }: { field: TextSetting }) => <EmailDomains key={field.value} field={field} />

function EmailDomains({ field }: { field: TextSetting }) {
  const { t } = usePageContext()
  const { text, write, textarea } = useTextStore(field.value)
  const [typed, setTyped] = useState('')
  const [outcome, setOutcome] = useState<Outcome>()
  const domains = domainsIn(text)

  function add() {
    const { added, waiting, result } = withTyped(domains, domainsIn(typed.toLowerCase()))
    if (added.length > domains.length) write(added.join(', '))
    setTyped(waiting.join(' '))
    setOutcome(result)
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    add()
  }

  const remove = (domain: string) => write(domains.filter(other => other !== domain).join(', '))
  const isRefused = outcome !== undefined && outcome !== 'assist.domain_added'
  return (
    <Field {...field}>
      {({ value: _, autoFocus: __, id, ...attributes }) => (
        <div className="email-domains">
          <span className="chips script-only">
            {domains.map(domain => (
              <RemovableChip
                key={domain}
                name={domain}
                remove={t('field.remove', { name: domain })}
                onRemove={() => remove(domain)}
              />
            ))}
          </span>
          <span className="add script-only">
            <input
              id={id}
              className={isRefused ? 'input input-error' : 'input'}
              value={typed}
              placeholder={t('assist.domain_new')}
              aria-invalid={isRefused || undefined}
              aria-describedby={isRefused ? `${id}-outcome` : undefined}
              onChange={({ target }) => {
                setTyped(target.value)
                setOutcome(undefined)
              }}
              onKeyDown={onKeyDown}
              autoComplete="off"
              spellCheck={false}
            />
            <button type="button" className="btn" onClick={add} disabled={!typed.trim()}>
              <Icon of={Plus} small />
              {t('assist.domain_add')}
            </button>
          </span>
          <textarea
            {...attributes}
            ref={textarea}
            className="textarea"
            aria-label={field.label}
            rows={2}
            defaultValue={field.value}
            autoComplete="off"
            spellCheck={false}
          />
          {isRefused && <ErrorText id={`${id}-outcome`}>{t(outcome)}</ErrorText>}
          <span className="help" role="status">
            {outcome === 'assist.domain_added' && t(outcome)}
          </span>
        </div>
      )}
    </Field>
  )
}
