/** Settings of a user of another gateway as ours: the names are the same, and what does not fit is left out. */
import { SettingEdit, settingDefaults } from '../../contracts/user-setting.ts'
import type { ForeignValue } from '../../db/foreign/foreign-database.ts'
import { json } from './row.ts'

const { quota_warning_threshold: _, ...unchosen } = settingDefaults
const KEYS = Object.keys(settingDefaults)

/** JSON text; empty when nothing was chosen. */
export function settingText(value: ForeignValue): string {
  const chosen = Object.entries(json(value)).flatMap(([key, setting]) => {
    if (!KEYS.includes(key)) return []
    const fits = SettingEdit.safeParse({ [key]: setting })
    return fits.success ? [[key, setting]] : []
  })
  return chosen.length ? JSON.stringify({ ...unchosen, ...Object.fromEntries(chosen) }) : ''
}
