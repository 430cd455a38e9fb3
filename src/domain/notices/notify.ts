/** Sends a notice in the way that its user has chosen: as mail or webhook, at most one of a kind in two hours. */
import { and, eq, sql } from 'drizzle-orm'
import { atomic, run } from '../../db/atomic.ts'
import type { Tx } from '../../db/database.ts'
import { translate } from '../../locales/index.ts'
import { type Language, languageCodes } from '../../locales/languages.ts'
import type { MessageParams } from '../../locales/translator.ts'
import { now } from '../../process/clock.ts'
import { isMailConfigured, type NoticeKind, queueMail } from '../mail/index.ts'
import { option } from '../options/index.ts'
import { settingOf, type User } from '../users/index.ts'
import { queueWebhook } from './delivery.ts'
import { noticeTimes } from './table.ts'

export const QUIET_SECONDS = 2 * 3600

export interface UserNotice {
  /** On the wire, and in `notice_times`: `quota_exceed`. */
  type: string
  /** Its messages are `mail.<kind>_subject` and so on. */
  kind: NoticeKind
  params: MessageParams
  /** Path of the page that the notice leads to. */
  path: string
}

/**
 * Queues a notice. A user without an address gets none.
 * @returns when the last notice of this type was sent: now, or less than two hours ago
 */
export async function notify(user: User, notice: UserNotice): Promise<number> {
  if (!isReachable(user)) return now()
  return atomic(function* (tx) {
    const last = yield* takeTurn(tx, user.id, notice.type)
    if (last !== undefined) return last
    yield* queueNotice(tx, user, notice)
    return now()
  })
}

/** Queues a notice that is due, however soon after another one. A user without an address gets none. */
export function* queueNotice(tx: Tx, user: User, notice: UserNotice) {
  if (!isReachable(user)) return
  const language = languageOf(user)
  if (settingOf(user).notify_type === 'webhook') yield* queueWebhook(tx, user.id, webhookOf(notice, language))
  else yield* queueMail(tx, { to: addressOf(user), kind: notice.kind, params: paramsOf(notice), language })
}

function isReachable(user: User): boolean {
  const { notify_type, webhook_url } = settingOf(user)
  return notify_type === 'webhook' ? webhook_url !== '' : addressOf(user) !== '' && isMailConfigured()
}

const addressOf = (user: User): string => settingOf(user).notification_email || user.email

export const languageOf = (user: User): Language =>
  languageCodes.find(code => code === user.language) ?? languageCodes[0]

/** @returns undefined when a notice may be sent now, else the time of the last one. A clock set back ends the silence. */
function* takeTurn(tx: Tx, user_id: number, kind: string) {
  const at = now()
  const [mine] = yield* run(
    tx
      .insert(noticeTimes)
      .values({ user_id, kind, sent_time: at })
      .onConflictDoUpdate({
        target: [noticeTimes.user_id, noticeTimes.kind],
        set: { sent_time: at },
        setWhere: sql`abs(${noticeTimes.sent_time} - ${at}) >= ${QUIET_SECONDS}`,
      })
      .returning(),
  )
  if (mine) return undefined
  const isLast = and(eq(noticeTimes.user_id, user_id), eq(noticeTimes.kind, kind))
  const [last] = yield* run(tx.select().from(noticeTimes).where(isLast))
  return last!.sent_time
}

/** The site has a link only where its address is set. */
function paramsOf({ params, path }: UserNotice): MessageParams {
  const site = option('ServerAddress')
  return { ...params, link: site && site + path }
}

function webhookOf(notice: UserNotice, language: Language) {
  const params = paramsOf(notice)
  const t = (key: Parameters<typeof translate>[1]) =>
    translate(language, key, { site: option('SystemName'), ...params })
  const title = t(`mail.${notice.kind}_subject`)
  const content = [t(`mail.${notice.kind}_intro`), params.link].filter(Boolean).join('\n')
  return { type: notice.type, title, content, values: [title, ...Object.values(params).map(String)] }
}
