/** Form of the fallback price. */
import { Fallback } from '../../../views/pricing/fallback.tsx'
import { settingsAt } from '../../../views/pricing/settings-view.ts'
import { FallbackDraft } from '../../contracts/option.ts'
import { checkFallback, currentOptions } from '../../domain/options/index.ts'
import { priceDigest } from '../../domain/pricing/index.ts'
import { formFields } from '../../web/forms.ts'
import { pageAt } from '../visit.ts'
import { amount } from './amount.ts'
import { type Draft, type FormOutcome, type PriceSettingsPage, showArea, submit, untouched } from './settings-page.tsx'

const amounts = ['fallback_single_price', 'fallback_input_ratio', 'fallback_completion_ratio'] as const
const keys = ['fallback_pricing_enabled', ...amounts] as const

type Values = Record<string, string>

export function showFallback(page: PriceSettingsPage) {
  const options = currentOptions()
  return show(page, Object.fromEntries(keys.map(key => [key, options.text(key)])), untouched)
}

function show(page: PriceSettingsPage, values: Values, outcome: FormOutcome) {
  const opened = pageAt(
    { ...page, query: { ...page.query, area: 'fallback' as const } },
    settingsAt({ area: 'fallback' }),
  )
  return showArea(opened, {
    content: <Fallback values={values} {...outcome} />,
    refused: Object.keys(outcome.errors).length > 0,
  })
}

export async function saveFallback(page: PriceSettingsPage): Promise<Response> {
  const form = formFields(page.body) as Values
  return submit(page, {
    draft: () => draftOf(form),
    fieldOf: key => amounts.find(name => name === key),
    show: outcome => show(page, form, outcome),
    done: 'pricing.saved',
  })
}

/** The complete form is checked; an option saved alone may be one half of a pair. @throws ZodError or Refusal */
function draftOf(form: Values): Draft {
  const [single_price, input_ratio, completion_ratio] = amounts.map(name => amount(form, name) ?? 0)
  const enabled = Boolean(form.fallback_pricing_enabled)
  checkFallback(FallbackDraft.parse({ enabled, single_price, input_ratio, completion_ratio }))
  const texts: Values = { fallback_pricing_enabled: String(enabled) }
  for (const name of amounts) texts[name] = (form[name] ?? '').trim()
  const changed = keys.filter(key => texts[key] !== currentOptions().text(key))
  return {
    texts: Object.fromEntries(changed.map(key => [key, texts[key]])),
    read: Object.fromEntries(changed.map(key => [key, priceDigest(key)])),
  }
}
