/** The endpoints of a custom channel as rows, or as JSON. Without JavaScript they are a JSON field. */
import Plus from 'lucide/dist/esm/icons/plus.mjs'
import X from 'lucide/dist/esm/icons/x.mjs'
import { useEffect, useRef, useState } from 'react'
import {
  type CustomEndpoint,
  customFormats,
  customOperations,
  hasFormats,
  keyPlaces,
} from '../../src/contracts/custom-endpoints.ts'
import { Field } from '../components/field.tsx'
import { Icon } from '../components/icon.tsx'
import { usePageContext } from '../components/page-context.tsx'

interface CustomEndpointsProps {
  /** JSON text. */
  value: string
  error?: string
}

/** A row as its fields hold it. */
interface Row {
  id: number
  operation: string
  url: string
  format: string
  key_in: string
  key_name: string
  /** Names, separated by commas. */
  models: string
}

let lastId = 0
const rowOf = (endpoint: Partial<CustomEndpoint> = {}): Row => ({
  id: ++lastId,
  operation: endpoint.operation ?? 'chat',
  url: endpoint.url ?? '',
  format: endpoint.format ?? '',
  key_in: endpoint.key_in ?? 'bearer',
  key_name: endpoint.key_name ?? '',
  models: (endpoint.models ?? []).join(', '),
})

/** @returns undefined for a text that rows cannot show */
function rowsIn(text: string): Row[] | undefined {
  if (!text.trim()) return [rowOf()]
  try {
    const endpoints: unknown = JSON.parse(text)
    return Array.isArray(endpoints) && endpoints.every(isEndpoint) ? endpoints.map(rowOf) : undefined
  } catch {
    return undefined
  }
}

const isEndpoint = (endpoint: unknown): endpoint is Partial<CustomEndpoint> => {
  if (typeof endpoint !== 'object' || endpoint === null) return false
  const { models, ...texts } = endpoint as Partial<CustomEndpoint>
  return Object.values(texts).every(text => typeof text === 'string') && (models === undefined || Array.isArray(models))
}

function jsonOf(rows: Row[]): string {
  const filled = rows.filter(({ url, models }) => url.trim() || models.trim())
  return filled.length ? JSON.stringify(filled.map(endpointOf), null, 2) : ''
}

function endpointOf({ operation, url, format, key_in, key_name, models }: Row) {
  const names = models.split(/[\s,，]+/).filter(Boolean)
  return {
    operation,
    url: url.trim(),
    ...(format && hasFormats(operation) && { format }),
    key_in,
    ...(isNamed(key_in) && { key_name: key_name.trim() }),
    ...(names.length && { models: names }),
  }
}

const isNamed = (key_in: string) => key_in === 'header' || key_in === 'query'

export function CustomEndpoints({ value, error }: CustomEndpointsProps) {
  const { t } = usePageContext()
  const [text, setText] = useState(value)
  const [rows, setRows] = useState(() => rowsIn(value))
  const sent = useRef<HTMLTextAreaElement>(null)

  function change(next: Row[]) {
    setRows(next)
    setText(jsonOf(next))
  }

  // React changes the value without an input event, by which the drawer knows that something has changed.
  const isFirst = useRef(true)
  // biome-ignore lint/correctness/useExhaustiveDependencies: every other text is a change
  useEffect(() => {
    if (!isFirst.current && rows) sent.current?.dispatchEvent(new Event('input', { bubbles: true }))
    isFirst.current = false
  }, [text])

  return (
    <Field
      name="setting_routes"
      label={t('routes.title')}
      help={t('routes.help')}
      error={error}
      aside={
        <button
          type="button"
          className="plain-link script-only"
          onClick={() => setRows(rows ? undefined : rowsIn(text))}
          disabled={!rows && rowsIn(text) === undefined}
        >
          {t(rows ? 'mapping.as_json' : 'mapping.as_rows')}
        </button>
      }
    >
      {({ value: _, ...attributes }) => (
        <>
          {rows && <Rows rows={rows} change={change} />}
          <textarea
            {...attributes}
            ref={sent}
            className={rows ? 'textarea mono plain-only' : 'textarea mono'}
            rows={6}
            wrap="off"
            value={text}
            onChange={({ target }) => setText(target.value)}
            placeholder={
              '[{"operation": "chat", "url": "https://api.example.com/v1/chat/completions", "key_in": "bearer"}]'
            }
            autoComplete="off"
            spellCheck={false}
          />
        </>
      )}
    </Field>
  )
}

function Rows({ rows, change }: { rows: Row[]; change: (rows: Row[]) => void }) {
  const { t } = usePageContext()
  const edit = (id: number, part: Partial<Row>) => change(rows.map(row => (row.id === id ? { ...row, ...part } : row)))
  return (
    <div className="route-rows script-only">
      {rows.map((row, index) => (
        <EndpointRow
          key={row.id}
          row={row}
          number={index + 1}
          edit={part => edit(row.id, part)}
          remove={() => change(rows.filter(({ id }) => id !== row.id))}
        />
      ))}
      <button type="button" className="btn btn-ghost btn-sm" onClick={() => change([...rows, rowOf()])}>
        <Icon of={Plus} small />
        {t('routes.add')}
      </button>
    </div>
  )
}

interface EndpointRowProps {
  row: Row
  number: number
  edit: (part: Partial<Row>) => void
  remove: () => void
}

function EndpointRow({ row, number, edit, remove }: EndpointRowProps) {
  const { t } = usePageContext()
  const text = { className: 'input mono', autoComplete: 'off', spellCheck: false }
  const labelled = (name: string) => ({ 'aria-label': `${t('routes.row', { number })}: ${name}` })
  return (
    <div className="route-row" role="group" aria-label={t('routes.row', { number })}>
      <select
        className="select"
        {...labelled(t('routes.operation'))}
        value={row.operation}
        onChange={({ target }) => edit({ operation: target.value })}
      >
        {customOperations.map(operation => (
          <option key={operation} value={operation}>
            {t(`routes.operation_${operation}`)}
          </option>
        ))}
      </select>
      <select
        className="select"
        {...labelled(t('routes.format'))}
        value={hasFormats(row.operation) ? row.format : ''}
        disabled={!hasFormats(row.operation)}
        onChange={({ target }) => edit({ format: target.value })}
      >
        <option value="">{t('routes.format_usual')}</option>
        {customFormats.map(format => (
          <option key={format} value={format}>
            {t(`routes.format_${format}`)}
          </option>
        ))}
      </select>
      <button type="button" className="icon-button" aria-label={t('routes.remove', { number })} onClick={remove}>
        <Icon of={X} small />
      </button>
      <input
        {...text}
        className="input mono whole-row"
        {...labelled(t('routes.url'))}
        inputMode="url"
        placeholder="https://api.example.com/{model}"
        value={row.url}
        onChange={({ target }) => edit({ url: target.value })}
      />
      <select
        className={isNamed(row.key_in) ? 'select' : 'select whole-row'}
        {...labelled(t('routes.key_in'))}
        value={row.key_in}
        onChange={({ target }) => edit({ key_in: target.value })}
      >
        {keyPlaces.map(place => (
          <option key={place} value={place}>
            {t(`routes.key_in_${place}`)}
          </option>
        ))}
      </select>
      {isNamed(row.key_in) && (
        <input
          {...text}
          className="input mono key-name"
          {...labelled(t('routes.key_name'))}
          placeholder={row.key_in === 'query' ? 'key' : 'x-api-key'}
          value={row.key_name}
          onChange={({ target }) => edit({ key_name: target.value })}
        />
      )}
      <input
        {...text}
        className="input mono whole-row"
        {...labelled(t('routes.models'))}
        placeholder={t('routes.models_all')}
        value={row.models}
        onChange={({ target }) => edit({ models: target.value })}
      />
    </div>
  )
}
