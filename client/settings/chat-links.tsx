/** Island: chat links as rows, beside their JSON. Without scripts the field is the JSON. */
import ArrowDown from 'lucide/dist/esm/icons/arrow-down.mjs'
import ArrowUp from 'lucide/dist/esm/icons/arrow-up.mjs'
import Plus from 'lucide/dist/esm/icons/plus.mjs'
import X from 'lucide/dist/esm/icons/x.mjs'
import { useState } from 'react'
import { isChatAddress } from '../../src/contracts/address.ts'
import { ErrorText, Field } from '../components/field.tsx'
import { Icon } from '../components/icon.tsx'
import { usePageContext } from '../components/page-context.tsx'
import type { TextSetting } from './text-setting.ts'
import { useTextStore } from './text-store.ts'

interface ChatLink {
  /** Identity of the row while it is edited. */
  id: number
  name: string
  address: string
}

let lastId = 0
const newLink = (name = '', address = ''): ChatLink => ({ id: ++lastId, name, address })

/** @returns undefined for a text that is no list of objects with one text each */
function linksIn(json: string): ChatLink[] | undefined {
  try {
    const links = JSON.parse(json.trim() || '[]') as unknown[]
    return links.map(link => {
      const [[name, address], more] = Object.entries(link as object) as [[string, unknown], unknown]
      if (typeof address !== 'string' || more !== undefined) throw new Error('no chat link')
      return newLink(name, address)
    })
  } catch {
    return undefined
  }
}

/** Rows without any text are left out. */
const jsonOf = (links: ChatLink[]): string =>
  JSON.stringify(
    links.filter(({ name, address }) => name || address).map(({ name, address }) => ({ [name]: address })),
    null,
    2,
  )

/** Starts anew with each text of the server. */
export default ({ field }: { field: TextSetting }) => <ChatLinks key={field.value} field={field} />

function ChatLinks({ field }: { field: TextSetting }) {
  const { t } = usePageContext()
  const [links, setLinks] = useState(() => linksIn(field.value))
  const { write, textarea } = useTextStore(field.value, typed => setLinks(linksIn(typed)))
  const [asJson, setAsJson] = useState(false)

  function change(changed: ChatLink[]) {
    setLinks(changed)
    write(jsonOf(changed))
  }

  const showsJson = asJson || !links
  const toggle = (
    <span role="group" className="join script-only">
      {[false, true].map(json => (
        <button
          key={String(json)}
          type="button"
          className="btn btn-ghost btn-sm"
          aria-pressed={showsJson === json}
          disabled={!json && !links}
          onClick={() => setAsJson(json)}
        >
          {t(json ? 'assist.chat_json' : 'assist.chat_rows')}
        </button>
      ))}
    </span>
  )
  return (
    <Field {...field} aside={toggle}>
      {({ value: _, autoFocus: __, ...attributes }) => (
        <div className={showsJson ? 'chat-links json-view' : 'chat-links'}>
          {links && <Rows links={links} onChange={change} />}
          <textarea
            {...attributes}
            ref={textarea}
            className={attributes['aria-invalid'] ? 'textarea textarea-error mono' : 'textarea mono'}
            rows={6}
            defaultValue={field.value}
            autoComplete="off"
            spellCheck={false}
          />
          {!links && <ErrorText>{t('assist.chat_broken')}</ErrorText>}
        </div>
      )}
    </Field>
  )
}

function Rows({ links, onChange }: { links: ChatLink[]; onChange: (links: ChatLink[]) => void }) {
  const { t } = usePageContext()
  const move = (at: number, by: number) => {
    const moved = [...links]
    const [link] = moved.splice(at, 1)
    moved.splice(at + by, 0, link!)
    onChange(moved)
  }
  return (
    <div className="rows script-only">
      <ol>
        {links.map((link, at) => (
          <Row
            key={link.id}
            link={link}
            onChange={changed => onChange(links.with(at, { ...link, ...changed }))}
            onRemove={() => onChange(links.toSpliced(at, 1))}
            onUp={at > 0 ? () => move(at, -1) : undefined}
            onDown={at < links.length - 1 ? () => move(at, 1) : undefined}
          />
        ))}
      </ol>
      <button type="button" className="btn btn-sm" onClick={() => onChange([...links, newLink()])}>
        <Icon of={Plus} small />
        {t('assist.chat_add')}
      </button>
    </div>
  )
}

interface RowProps {
  link: ChatLink
  onChange: (changed: Partial<ChatLink>) => void
  onRemove: () => void
  /** Absent for the first one. */
  onUp?: () => void
  /** Absent for the last one. */
  onDown?: () => void
}

function Row({ link: { id, name, address }, onChange, onRemove, onUp, onDown }: RowProps) {
  const { t } = usePageContext()
  const shown = name || t('assist.chat_new')
  const problem =
    address && !isChatAddress(address)
      ? t('assist.chat_address_bad')
      : address && !name
        ? t('assist.chat_name_missing')
        : undefined
  const errorId = `chat-link-${id}-error`
  return (
    <li>
      <input
        className="input"
        value={name}
        aria-label={t('assist.chat_name')}
        placeholder={t('assist.chat_name')}
        onChange={({ target }) => onChange({ name: target.value })}
        autoComplete="off"
      />
      <input
        className={problem ? 'input input-error mono' : 'input mono'}
        value={address}
        aria-label={t('assist.chat_address')}
        aria-invalid={problem ? true : undefined}
        aria-describedby={problem ? errorId : undefined}
        placeholder="https://chat.example/#/?key={key}"
        onChange={({ target }) => onChange({ address: target.value })}
        inputMode="url"
        autoComplete="off"
        spellCheck={false}
      />
      <span>
        <RowButton icon={ArrowUp} label={t('assist.chat_up', { name: shown })} onClick={onUp} />
        <RowButton icon={ArrowDown} label={t('assist.chat_down', { name: shown })} onClick={onDown} />
        <RowButton icon={X} label={t('assist.chat_remove', { name: shown })} onClick={onRemove} />
      </span>
      {problem && <ErrorText id={errorId}>{problem}</ErrorText>}
    </li>
  )
}

const RowButton = ({ icon, label, onClick }: { icon: typeof X; label: string; onClick?: () => void }) => (
  <button type="button" className="icon-button" aria-label={label} disabled={!onClick} onClick={onClick}>
    <Icon of={icon} small />
  </button>
)
