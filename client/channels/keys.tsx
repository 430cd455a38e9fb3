/** Keys of a channel: one field, or a list with a line per key as soon as there are several. The form sends one key per line. */
import LockKeyhole from 'lucide/dist/esm/icons/lock-keyhole.mjs'
import X from 'lucide/dist/esm/icons/x.mjs'
import { memo, useCallback, useEffect, useRef, useState } from 'react'
import { keyLines } from '../../src/contracts/key-list.ts'
import type { ProviderChoice } from '../../src/contracts/provider-choice.ts'
import { Field } from '../components/field.tsx'
import { Icon } from '../components/icon.tsx'
import { usePageContext } from '../components/page-context.tsx'

interface KeyFieldProps {
  provider: ProviderChoice | undefined
  /** Masked keys; empty for a new channel. */
  masked: string
  /** Keys of a refused form. */
  value: string
  error?: string
}

interface KeyLine {
  id: number
  text: string
}

/** A line that spans several keys is split; repeated keys are dropped. */
function distinct(texts: string[]): { keys: string[]; repeated: number } {
  const all = texts.flatMap(keyLines)
  const keys = [...new Set(all)]
  return { keys, repeated: all.length - keys.length }
}

let lastId = 0
const linesOf = (keys: string[]): KeyLine[] => keys.map(text => ({ id: ++lastId, text }))

export function KeyField({ provider, masked, value, error }: KeyFieldProps) {
  const { t } = usePageContext()
  const isStored = masked !== ''
  const [text, setText] = useState(value)
  const [lines, setLines] = useState<KeyLine[]>()
  const [repeated, setRepeated] = useState(0)
  const sent = useRef<HTMLTextAreaElement>(null)

  // A key that is one document contains commas.
  const shown = provider?.json_key ? undefined : lines
  const sentText = shown ? shown.map(line => line.text).join('\n') : text

  // React changes the value without an input event, by which the drawer knows that something has changed.
  const isFirst = useRef(true)
  // biome-ignore lint/correctness/useExhaustiveDependencies: every other text is a change
  useEffect(() => {
    if (!isFirst.current) sent.current?.dispatchEvent(new Event('input', { bubbles: true }))
    isFirst.current = false
  }, [sentText])

  function list(texts: string[]) {
    const { keys, repeated } = distinct(texts)
    setLines(linesOf(keys))
    setText(keys.join('\n'))
    setRepeated(repeated)
  }

  function type(typed: string) {
    if (!provider?.json_key && /[,\n]/.test(typed.trim())) return list([typed])
    setText(typed)
    setRepeated(0)
  }

  function toField() {
    setText(sentText)
    setLines(undefined)
  }

  const help = provider?.key_hint
    ? t(`provider.key_hint_${provider.key_hint}`)
    : provider?.json_key
      ? t('provider.key_json_help')
      : provider?.optional_key && !isStored
        ? t('provider.key_optional_help')
        : t('provider.key_help')
  return (
    <div className="key-field">
      <Field
        name="key"
        label={t('provider.key')}
        help={help}
        error={error}
        optional={provider?.optional_key && !isStored}
        aside={isForm(provider?.key_format) && <code>{provider?.key_format}</code>}
        after={
          shown && <KeyList {...{ lines: shown, repeated, onLines: setLines, onRepeated: setRepeated, toField }} />
        }
      >
        {({ value: _, ...attributes }) => {
          const area = (
            <textarea
              {...attributes}
              ref={sent}
              rows={provider?.json_key ? 5 : 2}
              className="textarea mono"
              hidden={shown !== undefined}
              value={sentText}
              onChange={({ target }) => type(target.value)}
              placeholder={isStored ? t('field.secret_paste') : provider?.key_format}
              autoComplete="off"
              spellCheck={false}
            />
          )
          if (!isStored) return area
          return (
            <details className="secret-set" open={value !== '' || undefined}>
              <summary className="secret">
                <Icon of={LockKeyhole} small className="ink-3" />
                <span className="grow ink-2">
                  {t('field.secret_set')} <span className="mono ml-1">{masked}</span>
                </span>
                <span className="btn btn-ghost btn-sm closed">{t('field.secret_replace')}</span>
                <span className="btn btn-ghost btn-sm opened">{t('field.secret_keep')}</span>
              </summary>
              {area}
            </details>
          )
        }}
      </Field>
    </div>
  )
}

/** A key of several parts: its form stays in sight while it is typed. */
const isForm = (format = '') => format.includes('|') || format.includes('-AppId')

interface KeyListProps {
  lines: KeyLine[]
  repeated: number
  onLines: (change: (lines: KeyLine[] | undefined) => KeyLine[]) => void
  onRepeated: (count: number) => void
  toField: () => void
}

function KeyList({ lines, repeated, onLines, onRepeated, toField }: KeyListProps) {
  const { t } = usePageContext()
  const next = useRef<HTMLInputElement>(null)
  const change = useCallback(
    (id: number, text: string) =>
      onLines(old => (old ?? []).map(line => (line.id === id ? { id, text: text.replaceAll(/[,\s]/g, '') } : line))),
    [onLines],
  )
  const remove = useCallback((id: number) => onLines(old => (old ?? []).filter(line => line.id !== id)), [onLines])

  function add(typed: string) {
    const known = new Set(lines.map(({ text }) => text))
    const { keys, repeated } = distinct([typed])
    const fresh = keys.filter(key => !known.has(key))
    onLines(old => [...(old ?? []), ...linesOf(fresh)])
    onRepeated(repeated + keys.length - fresh.length)
  }

  // The list takes the place of the field in which the reader was typing.
  useEffect(() => next.current?.focus(), [])
  return (
    <div className="key-list">
      <ol>
        {lines.map(({ id, text }, index) => (
          <KeyRow key={id} {...{ id, text, change, remove }} label={t('provider.key_number', { number: index + 1 })} />
        ))}
      </ol>
      <input
        ref={next}
        className="input mono"
        aria-label={t('provider.key_add')}
        placeholder={t('provider.key_add')}
        autoComplete="off"
        spellCheck={false}
        onPaste={event => {
          event.preventDefault()
          add(event.clipboardData.getData('text'))
        }}
        onKeyDown={event => {
          const { value } = event.currentTarget
          if ((event.key !== 'Enter' && event.key !== ',') || event.ctrlKey || event.metaKey) return
          event.preventDefault()
          if (value.trim()) add(value)
          event.currentTarget.value = ''
        }}
        onBlur={({ target }) => {
          if (target.value.trim()) add(target.value)
          target.value = ''
        }}
      />
      <footer>
        <span role="status">
          {t('provider.keys_count', { count: lines.length })}
          {repeated > 0 && ` · ${t('provider.keys_repeated', { count: repeated })}`}
        </span>
        <button type="button" className="btn btn-ghost btn-sm" onClick={toField}>
          {t('provider.key_one_field')}
        </button>
      </footer>
    </div>
  )
}

interface KeyRowProps extends KeyLine {
  label: string
  change: (id: number, text: string) => void
  remove: (id: number) => void
}

/** A thousand rows stay quick: only a changed one is rendered again, and the browser skips those out of sight. */
const KeyRow = memo(({ id, text, label, change, remove }: KeyRowProps) => {
  const { t } = usePageContext()
  return (
    <li>
      <input
        className="mono"
        aria-label={label}
        value={text}
        onChange={({ target }) => change(id, target.value)}
        onKeyDown={event => event.key === 'Enter' && !event.ctrlKey && !event.metaKey && event.preventDefault()}
        autoComplete="off"
        spellCheck={false}
      />
      <button
        type="button"
        className="icon-button"
        aria-label={t('field.remove', { name: label })}
        onClick={() => remove(id)}
      >
        <Icon of={X} small />
      </button>
    </li>
  )
})
