/** Settings of a user, stored as JSON in their row. */
import { eq } from 'drizzle-orm'
import { announce } from '../../cluster/changes.ts'
import { Refusal } from '../../contracts/refusal.ts'
import { SECRET_MASK, type SettingEdit, settingDefaults, type UserSetting } from '../../contracts/user-setting.ts'
import { atomic, lock, run } from '../../db/atomic.ts'
import { db } from '../../db/database.ts'
import type { Language } from '../../locales/languages.ts'
import { option } from '../options/index.ts'
import { type User, users } from './table.ts'

/** The settings with their defaults. */
export const settingOf = (user: Pick<User, 'setting'>): UserSetting => ({ ...settingDefaults, ...storedSetting(user) })

/** What the user has chosen; a broken text counts as nothing. */
export function storedSetting({ setting }: Pick<User, 'setting'>): Partial<UserSetting> {
  if (!setting) return {}
  try {
    return JSON.parse(setting)
  } catch {
    return {}
  }
}

/** Quota; a balance below it is low. Until a user has chosen a threshold, that of the site counts. */
export const warningThreshold = (user: Pick<User, 'setting'>): number =>
  storedSetting(user).quota_warning_threshold ?? option('QuotaRemindThreshold')

/** As JSON text for its owner: the webhook secret is masked. */
export function shownSetting(user: Pick<User, 'setting'>): string {
  if (!user.setting) return ''
  const setting = settingOf(user)
  return JSON.stringify({ ...setting, webhook_secret: setting.webhook_secret && SECRET_MASK })
}

export async function userSetting(user_id: number): Promise<UserSetting> {
  const [user] = await db.select({ setting: users.setting }).from(users).where(eq(users.id, user_id))
  return settingOf(user!)
}

const { quota_warning_threshold: _, ...unchosen } = settingDefaults

/** Merges the given fields into the stored settings; notices come in `language` from now on. @throws Refusal `me.webhook_missing` */
export async function changeSetting(user_id: number, { webhook_secret, ...edit }: SettingEdit, language: Language) {
  await atomic(function* (tx) {
    const [user] = yield* lock(tx, users, eq(users.id, user_id))
    const isNewSecret = webhook_secret && webhook_secret !== SECRET_MASK
    const setting = { ...unchosen, ...storedSetting(user!), ...edit, ...(isNewSecret && { webhook_secret }) }
    if (setting.notify_type === 'webhook' && !setting.webhook_url)
      throw new Refusal('me.webhook_missing', {}, 400, 'webhook_url')
    yield* run(
      tx
        .update(users)
        .set({ setting: JSON.stringify(setting), language })
        .where(eq(users.id, user_id)),
    )
    yield* announce(tx, 'user', [user_id])
  })
}

/** Keeps the language in which the user reads the site. */
export async function keepLanguage({ id, language: before }: Pick<User, 'id' | 'language'>, language: Language) {
  if (language === before) return
  await atomic(function* (tx) {
    yield* run(tx.update(users).set({ language }).where(eq(users.id, id)))
    yield* announce(tx, 'user', [id])
  })
}
