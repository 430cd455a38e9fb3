/** Saving sections of the settings: only what was changed, switches first, one by one, until one fails. */
import { PasswordLoginOff } from '../../../views/settings/password-login.tsx'
import { sectionAt, tabAt } from '../../../views/settings/view.ts'
import type { SettingsTab } from '../../contracts/option.ts'
import { Refusal } from '../../contracts/refusal.ts'
import type { Visit } from '../../contracts/visit.ts'
import {
  catalog,
  checkUnchanged,
  clearSecret,
  type OptionKey,
  optionKeys,
  type SectionName,
  setOptions,
  tabOf,
} from '../../domain/options/index.ts'
import { type MessageKey, translate, translator } from '../../locales/index.ts'
import type { MessageParams } from '../../locales/translator.ts'
import { errorsOf } from '../../web/forms.ts'
import { optionFields } from '../option-rows.ts'
import { optionLabel } from '../option-words.ts'
import { redirectTo } from '../page.tsx'
import { pageAt } from '../visit.ts'
import { type Change, changesIn, checkForms } from './changes.ts'
import { type RefusedSettings, titleOf } from './fields.ts'
import { showTab } from './pages.tsx'
import type { SettingsPage } from './request.ts'

export async function save(page: SettingsPage): Promise<Response> {
  const { visit, actor } = page
  const form = optionFields(page.body)
  const changes = changesIn(form)
  const { tab, path } = placeOf(form)
  if (!changes.length) return back(page, path, 'settings.unchanged', {}, 'error')
  const refused = emptyDraft(changes)
  const checked = { page, tab, refused }
  for (const { key, error } of changes) if (error) addError(refused, key, error, visit)
  for (const [key, error] of checkForms(changes)) addError(refused, key, error, visit)
  for (const { key, is_stale } of changes) {
    if (!is_stale || refused.errors.has(key)) continue
    refused.conflicts.add(key)
    refused.errors.set(key, translate(visit.language, 'settings.conflict'))
  }
  if (refused.errors.size) return showAgain(checked, 'settings.check_input')
  if (form.confirm === 'cancel') {
    refused.typed.delete('PasswordLoginEnabled')
    return showTab(opened(page, tab), refused)
  }
  if (changes.some(turnsOffPasswordLogin) && form.confirm !== 'PasswordLoginEnabled')
    return showTab(opened(page, tab), refused, <PasswordLoginOff fields={form} close={tabAt(tab)} />)
  const saved: OptionKey[] = []
  for (const step of stepsOf(changes)) {
    try {
      await saveStep(step, actor)
      for (const { key } of step) saved.push(key)
    } catch (error) {
      return showAgain(
        { ...checked, refused: afterFailure(refused, saved, step, error, visit) },
        ...outcomeOf(changes, saved, visit),
      )
    }
  }
  return back(page, path, 'settings.saved', { count: saved.length })
}

const back = (
  { visit }: SettingsPage,
  path: string,
  message: MessageKey,
  params: MessageParams,
  kind: 'success' | 'error' = 'success',
) => redirectTo(path, { kind, text: translate(visit.language, message, params) })

/** The tab of the form, and the address to go on to: the section, where the form has one. */
function placeOf(form: Partial<Record<string, string>>): { tab: SettingsTab; path: string } {
  const sent = optionKeys.filter(key => form[`read_${key}`] !== undefined)
  const names = [...new Set(sent.map(key => catalog[key].section_name))]
  const tab = names[0] ? tabOf(names[0]) : 'operation'
  return { tab, path: names.length === 1 ? sectionAt(tab, names[0]!) : tabAt(tab) }
}

const isSwitch = ({ key }: Change) => /enabled$/i.test(key)

/**
 * Switches one by one; then the other options of each section in one transaction, as they may depend on each other.
 * A switch that is turned on comes after the fields of its section, which it may need.
 */
function stepsOf(changes: Change[]): Change[][] {
  const [switches, others] = [changes.filter(isSwitch), changes.filter(change => !isSwitch(change))]
  const sections = Map.groupBy(others, ({ key, clears }) => (clears ? key : catalog[key].section_name))
  const waits = ({ key, text }: Change) => text === 'true' && sections.has(catalog[key].section_name)
  return [
    ...switches.filter(change => !waits(change)).map(change => [change]),
    ...sections.values(),
    ...switches.filter(waits).map(change => [change]),
  ]
}

async function saveStep(step: Change[], actor: SettingsPage['actor']) {
  const read = Object.fromEntries(step.map(({ key, read }) => [key, read]))
  const [{ key, clears }] = step as [Change]
  if (clears) return clearSecret(key, actor, tx => checkUnchanged(tx, read))
  const texts = Object.fromEntries(step.map(({ key, text }) => [key, text]))
  await setOptions(texts, actor, tx => checkUnchanged(tx, read))
}

const emptyDraft = (changes: Change[]): RefusedSettings => ({
  typed: new Map(changes.map(({ key, typed }) => [key, typed])),
  errors: new Map(),
  conflicts: new Set(),
  problems: new Map(),
})

function addError({ errors }: RefusedSettings, key: OptionKey, error: unknown, { language }: Visit) {
  const messages = errorsOf(error, language)
  errors.set(key, messages[key] ?? Object.values(messages)[0]!)
}

/** What was saved is no longer a draft; the rest is kept as it was typed. @throws any error that concerns no field */
function afterFailure(
  refused: RefusedSettings,
  saved: OptionKey[],
  step: Change[],
  error: unknown,
  visit: Visit,
): RefusedSettings {
  for (const key of saved) refused.typed.delete(key)
  const field = error instanceof Refusal ? step.find(({ key }) => key === error.field)?.key : undefined
  const key = field ?? step[0]!.key
  if (error instanceof Refusal && error.code === 'option.price_changed_meanwhile') {
    refused.conflicts.add(key)
    refused.errors.set(key, translate(visit.language, 'settings.conflict'))
  } else addError(refused, key, fielded(error, key), visit)
  return refused
}

/** A refusal of no field is shown at the field that was being saved; a lacking role is none of the form's errors. */
const fielded = (error: unknown, key: OptionKey) =>
  error instanceof Refusal && error.field === undefined && error.status !== 403
    ? new Refusal(error.code, error.params, error.status, key)
    : error

function outcomeOf(changes: Change[], saved: OptionKey[], visit: Visit): [MessageKey, MessageParams] {
  if (!saved.length) return ['settings.failed', {}]
  const left = changes.map(({ key }) => key).filter(key => !saved.includes(key))
  const names = (keys: OptionKey[]) => keys.map(key => optionLabel(key, visit)).join(', ')
  return ['settings.some_failed', { saved: names(saved), left: names(left) }]
}

interface RefusedTab {
  page: SettingsPage
  tab: SettingsTab
  refused: RefusedSettings
}

/** The tab with what was typed: the message stands in each section with an error, which names the others. */
function showAgain({ page, tab, refused }: RefusedTab, message: MessageKey, params: MessageParams = {}) {
  const t = translator(page.visit.language)
  const wrong = [...new Set([...refused.errors.keys()].map(key => catalog[key].section_name))]
  for (const section of wrong) {
    const others = wrong.filter(name => name !== section).map(name => titleOf(name as SectionName, page.visit))
    const elsewhere = others.length ? ` ${t('settings.elsewhere', { sections: others.join(', ') })}` : ''
    refused.problems.set(section, t(message, params) + elsewhere)
  }
  return showTab(opened(page, tab), refused)
}

const turnsOffPasswordLogin = ({ key, text }: Change) => key === 'PasswordLoginEnabled' && text === 'false'

const opened = (page: SettingsPage, tab: SettingsTab) => pageAt({ ...page, query: { ...page.query, tab } }, tabAt(tab))
