/** Options as one file, without secrets: written out, compared with a file, taken over from it. */
import type { Actor } from '../../contracts/actor.ts'
import type { ImportReview, SettingsFile } from '../../contracts/option.ts'
import { Refusal } from '../../contracts/refusal.ts'
import { now } from '../../process/clock.ts'
import { VERSION } from '../../pure/version.ts'
import { catalog, isOptionKey, type OptionKey } from './catalog.ts'
import { currentOptions, draftOptions, listOptions, type OptionTexts, setOptions, storedForm } from './service.ts'

export const exportOptions = (): SettingsFile => ({
  version: VERSION,
  exported_time: now(),
  options: Object.fromEntries(listOptions().map(({ key, value }) => [key, value])),
})

/** What an import of these texts would do. */
export function reviewImport(texts: Readonly<Record<string, string>>): ImportReview {
  const keys = Object.keys(texts)
  const optionKeys = keys.filter(isOptionKey)
  const plain = optionKeys.filter(key => !catalog[key].secret)
  const invalid: ImportReview['invalid'] = []
  const valid: Partial<Record<OptionKey, string>> = {}
  for (const key of plain)
    try {
      valid[key] = storedForm(key, texts[key]!)
    } catch (error) {
      invalid.push(problemOf(error))
    }
  invalid.push(...contradictionsIn(valid))
  const current = currentOptions()
  const compared = (Object.keys(valid) as OptionKey[]).map(key => ({
    key,
    before: current.text(key),
    after: valid[key]!,
  }))
  const changes = compared.filter(({ before, after }) => before !== after)
  return {
    changes,
    unchanged: compared.length - changes.length,
    unknown: keys.filter(key => !isOptionKey(key)),
    secrets: optionKeys.filter(key => catalog[key].secret),
    invalid,
  }
}

/** One problem for each section whose options contradict each other. */
function contradictionsIn(texts: OptionTexts): ImportReview['invalid'] {
  try {
    draftOptions(texts)
    return []
  } catch (error) {
    const problem = problemOf(error)
    const { section } = catalog[problem.key as OptionKey]
    const others = Object.entries(texts).filter(([key]) => catalog[key as OptionKey].section !== section)
    return [problem, ...contradictionsIn(Object.fromEntries(others))]
  }
}

/** @throws any error that is no refusal of an option */
function problemOf(error: unknown): ImportReview['invalid'][number] {
  if (!(error instanceof Refusal) || error.field === undefined) throw error
  return { key: error.field, code: error.code, params: error.params }
}

/**
 * Takes over every difference in one commit, or none. Unknown options and secrets stay out.
 * @throws Refusal 400 for the first invalid option, without a change
 */
export async function importOptions(texts: Readonly<Record<string, string>>, actor: Actor): Promise<ImportReview> {
  const review = reviewImport(texts)
  const [first] = review.invalid
  if (first) throw new Refusal(first.code, first.params, 400, first.key)
  const changed = Object.fromEntries(review.changes.map(({ key, after }) => [key, after])) as OptionTexts
  await setOptions(changed, actor)
  return review
}
