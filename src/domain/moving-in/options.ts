/** Options of another gateway: at the first run alone, and only where none was chosen here. */
import type { PricesOf } from '../../contracts/moving-in.ts'
import { Refusal } from '../../contracts/refusal.ts'
import { atomic, run } from '../../db/atomic.ts'
import { db } from '../../db/database.ts'
import {
  draftOptions,
  isOptionKey,
  type OptionKey,
  option,
  options,
  setOptionsAsSystem,
  storedForm,
} from '../options/index.ts'
import { loadIds, type Move, note } from './move.ts'
import { json, text } from './row.ts'
import { movedRows } from './table.ts'

/** Names that differ. */
const RENAMED: Record<string, OptionKey> = {
  'checkin_setting.enabled': 'CheckInEnabled',
  'checkin_setting.min_quota': 'CheckInQuota',
  'checkin_setting.max_quota': 'CheckInMaxQuota',
}

/** Tables of prices by model. Those of the old gateway lie over ours: models that only we know keep theirs. */
const PRICE_TABLES = ['ModelPrice', 'ModelRatio', 'CompletionRatio', 'CacheRatio'] as const
const isPriceTable = (key: string): key is (typeof PRICE_TABLES)[number] =>
  (PRICE_TABLES as readonly string[]).includes(key)

type Texts = Partial<Record<OptionKey, string>>

/** One mark for all of them: what an administrator changes here afterwards stays. */
const ALL_OPTIONS = 0

export async function moveOptions(move: Move, prices: PricesOf) {
  await loadIds(move, 'option')
  const rows = await move.from.readAll('options', ['key', 'value'])
  const counts = move.report.counts.option
  counts.found = rows.length
  if (move.ids.option.has(ALL_OPTIONS)) {
    counts.before = rows.length
    return
  }
  const chosenHere = new Set((await db.select({ key: options.key }).from(options)).map(({ key }) => key))
  const texts: Texts = {}
  for (const { key: name, value } of rows) {
    const key = keyHere(move, text(name), chosenHere)
    if (key) texts[key] = isPriceTable(key) ? tableOf(move, key, text(value), prices) : text(value)
  }
  const fitting = withoutContradictions(move, usable(move, texts))
  counts.carried = Object.keys(fitting).length
  if (move.isDry) return
  await setOptionsAsSystem(fitting)
  await atomic(function* (tx) {
    const mark = { source: move.source, noun: 'option' as const, source_id: ALL_OPTIONS, target_id: ALL_OPTIONS }
    yield* run(tx.insert(movedRows).values(mark))
  })
}

/** Who has just moved in signs in by password. */
const NEVER_CARRIED: readonly string[] = ['PasswordLoginEnabled' satisfies OptionKey]

function keyHere(move: Move, name: string, chosenHere: Set<string>): OptionKey | undefined {
  const key = RENAMED[name] ?? name
  if (!isOptionKey(key) || NEVER_CARRIED.includes(key))
    return void note(move, 'option', 'moving.option_unknown', 0, { name })
  if (chosenHere.has(key)) return void note(move, 'option', 'moving.option_ours', 0, { name })
  return key
}

/** @returns undefined where our prices hold */
function tableOf(move: Move, key: (typeof PRICE_TABLES)[number], stored: string, prices: PricesOf): string | undefined {
  const theirs = json(stored)
  if (key === 'CompletionRatio') chargedAtBuiltIn(move, theirs)
  const ours: Record<string, unknown> = option(key)
  for (const [model, value] of Object.entries(theirs))
    if (ours[model] !== value)
      note(move, 'option', prices === 'theirs' ? 'moving.price_theirs' : 'moving.price_ours', 0, {
        ...{ model, table: key, theirs: String(value), ours: String(ours[model] ?? '–') },
      })
  return prices === 'theirs' ? JSON.stringify({ ...ours, ...theirs }) : undefined
}

/** new-api of 2025 and Veloera charge this model at this ratio, whatever their table says. */
const BUILT_IN: readonly [model: string, ratio: number] = ['gpt-4o', 4]

function chargedAtBuiltIn({ product, from }: Move, theirs: Record<string, unknown>) {
  const isNewer = from.columns.get('channels')?.has('channel_info')
  const [model, ratio] = BUILT_IN
  if (product !== 'one-api' && !isNewer && model in theirs) theirs[model] = ratio
}

/** Each by itself. An empty text is no value. */
function usable(move: Move, texts: Texts): Texts {
  const entries = Object.entries(texts) as [OptionKey, string | undefined][]
  return Object.fromEntries(
    entries.flatMap(([key, value]) => {
      if (!value?.trim()) return []
      try {
        return [[key, storedForm(key, value)]]
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        note(move, 'option', 'moving.option_invalid', 0, { name: key })
        return []
      }
    }),
  )
}

/** Options of one section that contradict each other stay behind one by one. */
function withoutContradictions(move: Move, texts: Texts): Texts {
  try {
    draftOptions(texts)
    return texts
  } catch (error) {
    if (!(error instanceof Refusal) || !error.field || !(error.field in texts)) throw error
    note(move, 'option', 'moving.option_invalid', 0, { name: error.field })
    const { [error.field as OptionKey]: _, ...rest } = texts
    return withoutContradictions(move, rest)
  }
}

/** Tables that their administrator never saved: the old program's own held. */
export async function notePrices(move: Move, prices: PricesOf) {
  const saved = new Set((await move.from.readAll('options', ['key'])).map(({ key }) => text(key)))
  for (const key of PRICE_TABLES)
    if (prices === 'theirs' && !saved.has(key)) note(move, 'option', 'moving.price_built_in', 0, { table: key })
}
