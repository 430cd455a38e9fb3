/** Island: a JSON object of texts as rows “from → to”, or as JSON. Without JavaScript it is a JSON field. */
import { useEffect, useRef, useState } from 'react'
import { circleIn, isFailure, isStatus, jsonObject } from '../../src/contracts/channel-json.ts'
import { Field } from '../components/field.tsx'
import { usePageContext } from '../components/page-context.tsx'
import { type RowOfCells, Rows, rowOf } from '../components/rows.tsx'

export interface MappingProps {
  /** Name of the field. */
  of: 'model_mapping' | 'status_code_mapping'
  /** JSON text. */
  value: string
  error?: string
}

/** @returns undefined for a text that rows cannot show */
function pairsIn(text: string): RowOfCells[] | undefined {
  const object = text.trim() ? jsonObject(text) : {}
  const entries = object && Object.entries(object)
  if (!entries?.every(([, to]) => typeof to === 'string' || typeof to === 'number')) return undefined
  return entries.map(([from, to]) => rowOf(from, String(to)))
}

function jsonOf(pairs: RowOfCells[]): string {
  const filled = pairs.map(({ cells }) => cells.map(cell => cell.trim())).filter(cells => cells.some(Boolean))
  if (!filled.length) return ''
  return JSON.stringify(Object.fromEntries(filled), null, 2)
}

export default function Mapping({ of: name, value, error }: MappingProps) {
  const { t } = usePageContext()
  const [text, setText] = useState(value)
  const [pairs, setPairs] = useState(() => pairsIn(value))
  const [isRefused, setRefused] = useState(error !== undefined)
  const sent = useRef<HTMLTextAreaElement>(null)
  const isModels = name === 'model_mapping'
  const flaw = isModels ? modelFlaw(text, pairs) : statusFlaw(text, pairs)
  const wrong = flaw ? t(flaw) : isRefused ? error : undefined

  function change(next: RowOfCells[]) {
    setPairs(next)
    write(jsonOf(next))
  }

  function write(next: string) {
    setText(next)
    setRefused(false)
  }

  // React changes the value without an input event, by which the drawer knows that something has changed.
  const isFirst = useRef(true)
  // biome-ignore lint/correctness/useExhaustiveDependencies: every other text is a change
  useEffect(() => {
    if (!isFirst.current && pairs) sent.current?.dispatchEvent(new Event('input', { bubbles: true }))
    isFirst.current = false
  }, [text])

  const placeholders = isModels ? ['gpt-4o', 'gpt-4o-2024-11-20'] : ['400', '500']
  return (
    <div className="mapping">
      <Field
        name={name}
        label={t(`mapping.${name}`)}
        help={t(`mapping.${name}_help`)}
        error={wrong}
        aside={
          <button
            type="button"
            className="plain-link script-only"
            onClick={() => setPairs(pairs ? undefined : pairsIn(text))}
            disabled={!pairs && pairsIn(text) === undefined}
          >
            {t(pairs ? 'mapping.as_json' : 'mapping.as_rows')}
          </button>
        }
      >
        {({ value: _, ...attributes }) => (
          <>
            {pairs && (
              <Rows
                rows={pairs}
                change={change}
                columns={[
                  { label: number => t(`mapping.${name}_from`, { number }), placeholder: placeholders[0] },
                  { label: number => t(`mapping.${name}_to`, { number }), placeholder: placeholders[1] },
                ]}
                invalid={attributes['aria-invalid']}
              />
            )}
            <textarea
              {...attributes}
              ref={sent}
              className={pairs ? 'textarea mono plain-only' : 'textarea mono'}
              rows={4}
              wrap="off"
              value={text}
              onChange={({ target }) => write(target.value)}
              placeholder={JSON.stringify({ [placeholders[0]!]: placeholders[1] }, null, 2)}
              autoComplete="off"
              spellCheck={false}
            />
          </>
        )}
      </Field>
    </div>
  )
}

/** A name that stands on the left twice: the JSON would keep only the last of them. */
const repeats = (pairs: RowOfCells[] = []) => {
  const names = pairs.map(({ cells }) => cells[0]!.trim()).filter(Boolean)
  return new Set(names).size < names.length
}

/** Half a row is no error yet: its other half may be the next to be typed. */
const isWhole = ([from, to]: [string, unknown]) => from !== '' && to !== ''

function modelFlaw(text: string, pairs: RowOfCells[] | undefined) {
  const object = text.trim() ? jsonObject(text) : {}
  if (!object || !Object.values(object).every(to => typeof to === 'string')) return 'mapping.model_mapping_json'
  if (repeats(pairs)) return 'mapping.repeated'
  return circleIn(object) ? 'mapping.circle' : undefined
}

function statusFlaw(text: string, pairs: RowOfCells[] | undefined) {
  const object = text.trim() ? jsonObject(text) : {}
  if (!object) return 'mapping.status_code_mapping_json'
  if (repeats(pairs)) return 'mapping.repeated'
  const whole = Object.entries(object).filter(isWhole)
  return whole.every(([from, to]) => isStatus(from) && isFailure(to)) ? undefined : 'mapping.status_code_mapping_json'
}
