/** Forms of price options as JSON texts: the price tables, and the groups. */

import { pricesAction, type SettingsView, settingsAt } from '../../../views/pricing/settings-view.ts'
import { type TableKey, Tables } from '../../../views/pricing/tables.tsx'
import { GROUP_KEYS, PRICE_TABLES } from '../../contracts/pricing.ts'
import { catalog, currentOptions, draftOptions } from '../../domain/options/index.ts'
import { priceDigest } from '../../domain/pricing/index.ts'
import { errorsOf } from '../../web/forms.ts'
import { optionFields } from '../option-rows.ts'
import { pageAt } from '../visit.ts'
import {
  type Draft,
  FormErrors,
  type FormOutcome,
  type PriceSettingsPage,
  priceTabs,
  showArea,
  submit,
  untouched,
} from './settings-page.tsx'

type Values = Partial<Record<string, string>>

interface TextForm {
  keys: readonly TableKey[]
  action: string
  at: SettingsView
}

const tableForm: TextForm = { keys: PRICE_TABLES, action: 'tables', at: { area: 'prices', view: 'tables' } }
const groupForm: TextForm = { keys: GROUP_KEYS, action: 'groups', at: { area: 'groups' } }

export const showTables = (page: PriceSettingsPage) => show(page, tableForm, valuesOf(PRICE_TABLES), untouched)
export const showGroups = (page: PriceSettingsPage) => show(page, groupForm, valuesOf(GROUP_KEYS), untouched)
export const saveTables = (page: PriceSettingsPage) => save(page, tableForm)
export const saveGroups = (page: PriceSettingsPage) => save(page, groupForm)

async function show(page: PriceSettingsPage, { keys, action, at }: TextForm, values: Values, outcome: FormOutcome) {
  const returnTo = settingsAt(at)
  const content = (
    <>
      {at.view && (await priceTabs(at.view))}
      <Tables
        keys={keys}
        action={pricesAction(action)}
        returnTo={returnTo}
        values={values as Record<string, string>}
        shapes={Object.fromEntries(keys.map(key => [key, catalog[key].rows]))}
        {...outcome}
      />
    </>
  )
  const opened = pageAt({ ...page, query: { ...page.query, area: at.area } }, returnTo)
  return showArea(outcome === untouched ? page : opened, { content, refused: Object.keys(outcome.errors).length > 0 })
}

const valuesOf = (keys: readonly TableKey[]): Values =>
  Object.fromEntries(
    keys.flatMap(key => [
      [key, printed(key)],
      [`read_${key}`, priceDigest(key)],
    ]),
  )

const printed = (key: TableKey) => JSON.stringify(currentOptions().value(key), null, 2)

const save = (page: PriceSettingsPage, form: TextForm) => {
  const values = optionFields(page.body)
  return submit(page, {
    draft: () => draftOf(values, form.keys, page),
    fieldOf: key => form.keys.find(one => one === key),
    show: outcome => show(page, form, values, outcome),
    done: 'pricing.saved',
  })
}

/** Only the texts that differ from those that the form was filled with. @throws FormErrors with each invalid one */
function draftOf(values: Values, keys: readonly TableKey[], { visit }: PriceSettingsPage): Draft {
  const draft: Required<Draft> = { texts: {}, read: {} }
  const errors: Record<string, string> = {}
  for (const key of keys) {
    const [text, read = ''] = [values[key], values[`read_${key}`]]
    if (text === undefined) continue
    try {
      if (priceDigest(key, draftOptions({ [key]: text })) === read) continue
      draft.texts[key] = text
      draft.read[key] = read
    } catch (error) {
      Object.assign(errors, errorsOf(error, visit.language))
    }
  }
  if (Object.keys(errors).length) throw new FormErrors(errors)
  return draft
}
