/** Import of another gateway's prices: a comparison, and the differences that were ticked. */
import { z } from 'zod'
import { Import } from '../../../views/pricing/import.tsx'
import { settingsAt } from '../../../views/pricing/settings-view.ts'
import { FOREIGN_KEYS, type PriceDifference } from '../../contracts/pricing.ts'
import { differencesAt, differencesWith, textsFor } from '../../domain/pricing/index.ts'
import { errorsOf, formFields } from '../../web/forms.ts'
import { back } from '../list-page.ts'
import { pageAt } from '../visit.ts'
import { refuse } from './amount.ts'
import { withDigests } from './models.tsx'
import { type FormOutcome, type PriceSettingsPage, showArea, submit, untouched } from './settings-page.tsx'

type Values = Record<string, string>

interface Comparison {
  differences?: PriceDifference[]
  picked?: string[]
}

export const showImport = (page: PriceSettingsPage) => show(page, {}, untouched)

function show(page: PriceSettingsPage, values: Values, outcome: FormOutcome, comparison: Comparison = {}) {
  const opened = pageAt({ ...page, query: { ...page.query, area: 'import' as const } }, settingsAt({ area: 'import' }))
  return showArea(opened, {
    content: <Import values={values} {...outcome} {...comparison} />,
    refused: Object.keys(outcome.errors).length > 0,
  })
}

export async function compare(page: PriceSettingsPage): Promise<Response> {
  const values = formFields(page.body) as Values
  try {
    return show(page, values, untouched, { differences: await differencesOf(values) })
  } catch (error) {
    return show(page, values, { errors: errorsOf(error, page.visit.language) })
  }
}

/** @throws ZodError or Refusal at the field that was filled in */
async function differencesOf({ address = '', table = '' }: Values): Promise<PriceDifference[]> {
  if (!table.trim())
    return address.trim() ? differencesAt(address.trim()) : refuse('address', 'pricing.address_required')
  try {
    return differencesWith(JSON.parse(table))
  } catch {
    return refuse('table', 'option.not_prices')
  }
}

const Picked = z.object({ ids: z.array(z.string()).default([]), all: z.array(z.string()).default([]) })

export async function take(page: PriceSettingsPage): Promise<Response> {
  const { ids, all } = Picked.parse(page.body)
  if (!ids.length) return back(page, 'pricing.select_first', {}, 'error')
  const differences = all.flatMap(differenceIn)
  const picked = new Set(ids)
  const chosen = differences.filter((_, index) => picked.has(all[index]!.slice(all[index]!.indexOf(':') + 1)))
  return submit(page, {
    draft: () => withDigests(textsFor(chosen)),
    fieldOf: () => undefined,
    show: outcome => show(page, {}, outcome, { differences, picked: ids }),
    done: 'pricing.taken',
    params: { count: chosen.length },
  })
}

const Difference = z.object({ key: z.enum(FOREIGN_KEYS), theirs: z.coerce.number().min(0), model: z.string().min(1) })

/** The text of a difference: `1.25:ModelRatio:1.5:gpt-4o`, where ours may be empty. */
function differenceIn(text: string): PriceDifference[] {
  const [, ours = '', key, theirs, model] = /^([^:]*):([^:]*):([^:]*):(.*)$/s.exec(text) ?? []
  const read = Difference.safeParse({ key, theirs, model })
  return read.success ? [{ ...read.data, ours: ours === '' ? null : Number(ours) }] : []
}
