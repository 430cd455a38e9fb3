/** What the forms of price administration share: the page as its address describes it, and saving or simulating a draft. */
import type { ReactNode } from 'react'
import { z } from 'zod'
import { SIMULATED_DAYS } from '../../../views/pricing/save-bar.tsx'
import { PriceTabs, Settings } from '../../../views/pricing/settings.tsx'
import { AREAS, PRICE_VIEWS, type PriceView, type SettingsView } from '../../../views/pricing/settings-view.ts'
import { optional, pageOf } from '../../contracts/paging.ts'
import type { PriceTexts, Simulation } from '../../contracts/pricing.ts'
import { Refusal } from '../../contracts/refusal.ts'
import { sectionsOf } from '../../domain/options/index.ts'
import { listedModels, type PriceDigests, savePrices, servedModels, simulate } from '../../domain/pricing/index.ts'
import { type MessageKey, translator } from '../../locales/index.ts'
import type { MessageParams } from '../../locales/translator.ts'
import { now } from '../../process/clock.ts'
import { errorsOf } from '../../web/forms.ts'
import { back, backWithUndoOfRequest, type PageRequest } from '../list-page.ts'
import { render } from '../page.tsx'

const id = z.coerce.number().int().optional().catch(undefined)

export const SettingsQuery = z.object({
  tab: optional,
  area: z.enum(AREAS).catch('prices'),
  view: z.enum(PRICE_VIEWS).catch('served'),
  p: optional,
  keyword: optional,
  new: z.string().optional(),
  edit: optional,
  delete: optional,
  reset: z.string().optional(),
  open: id,
  undo: id,
})

/** What pages of price administration are addressed by. */
const PARAMETERS = ['area', 'view', 'keyword', 'new', 'edit', 'delete', 'reset']

/** Price administration belongs to the tab `operation`. */
export const isPricePage = (query: Record<string, unknown>): boolean =>
  (query.tab ?? 'operation') === 'operation' && PARAMETERS.some(name => query[name] !== undefined)

export type PriceSettingsPage = PageRequest<z.output<typeof SettingsQuery>>

export const viewOf = ({ area, view, keyword, p }: PriceSettingsPage['query']): SettingsView => ({
  area,
  view,
  keyword,
  page: pageOf({ p }, 1).page,
})

export async function priceTabs(view: PriceView): Promise<ReactNode> {
  const { priced, unpriced } = await servedModels()
  const counts = { served: priced.length, unset: unpriced.length, models: listedModels().length }
  return <PriceTabs view={view} counts={counts} />
}

interface AreaContent {
  content: ReactNode
  overlay?: ReactNode
  /** A form has errors: status 422. */
  refused?: boolean
}

export function showArea(
  { request, visit, query }: PriceSettingsPage,
  { content, overlay, refused = false }: AreaContent,
) {
  const page = (
    <Settings area={query.area} sections={sectionsOf('operation').filter(name => name !== 'prices')} overlay={overlay}>
      {content}
    </Settings>
  )
  const title = translator(visit.language)('shell.settings')
  return render(request, visit, page, { title, status: refused ? 422 : 200 })
}

/** Result of a form that is shown again. */
export interface FormOutcome {
  errors: Record<string, string>
  simulation?: Simulation
  days?: string
}

/** A form that was not sent yet. */
export const untouched: FormOutcome = { errors: {} }

/** Errors of several fields. */
export class FormErrors extends Error {
  constructor(readonly errors: Record<string, string>) {
    super('form has errors')
  }
}

interface Submission {
  /** Texts to save, and digests of those that they were made from. @throws Refusal, ZodError or FormErrors */
  draft: () => Draft | Promise<Draft>
  /** The form's fields by the option whose error belongs there; other errors are shown above the fields. */
  fieldOf: (key: string) => string | undefined
  /** Shows the form again. */
  show: (outcome: FormOutcome) => Promise<Response> | Response
  done: MessageKey
  params?: MessageParams
}

export interface Draft {
  texts: PriceTexts
  read?: PriceDigests
}

const Action = z.object({ action: z.string().default('save'), days: z.enum(SIMULATED_DAYS).default('7').catch('7') })

const DAY = 86_400

/** Saves the draft, or shows what the calls of the last days would have cost under it. */
export async function submit(
  page: PriceSettingsPage,
  { draft, fieldOf, show, done, params }: Submission,
): Promise<Response> {
  const { action, days } = Action.parse(page.body)
  try {
    const { texts, read } = await draft()
    if (action === 'simulate') {
      const simulation = await simulate(texts, now() - Number(days) * DAY, page.request.signal)
      return await show({ errors: {}, simulation, days })
    }
    if (!Object.keys(texts).length) return back(page, 'pricing.unchanged', {}, 'error')
    await savePrices(page.actor, texts, read)
    return await backWithUndoOfRequest(page, done, params)
  } catch (error) {
    const errors = Object.entries(
      error instanceof FormErrors ? error.errors : errorsOf(fielded(error), page.visit.language),
    )
    return show({ errors: Object.fromEntries(errors.map(([key, text]) => [fieldOf(key) ?? 'form', text])), days })
  }
}

/** A refusal of the whole form gets a field, so that the form can show it. */
const fielded = (error: unknown) =>
  error instanceof Refusal && error.field === undefined
    ? new Refusal(error.code, error.params, error.status, 'form')
    : error
