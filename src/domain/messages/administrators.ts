/** Messages of the system to all administrators, each in the reader's language. */
import { and, eq, gte, isNull } from 'drizzle-orm'
import { Role, UserStatus } from '../../contracts/account.ts'
import type { MessageEdit } from '../../contracts/message.ts'
import { run } from '../../db/atomic.ts'
import type { Tx } from '../../db/database.ts'
import { type Language, languageCodes } from '../../locales/languages.ts'
import { now } from '../../process/clock.ts'
import { users } from '../users/table.ts'
import { messageRecipients, messages } from './table.ts'

/** No user has written it. */
const SYSTEM = 0

/** @param textIn is Markdown */
export function* messageAdministrators(tx: Tx, textIn: (language: Language) => Pick<MessageEdit, 'title' | 'content'>) {
  const isActive = and(eq(users.status, UserStatus.enabled), isNull(users.deleted_time))
  const administrators = yield* run(
    tx
      .select({ id: users.id, language: users.language })
      .from(users)
      .where(and(isActive, gte(users.role, Role.admin))),
  )
  const at = now()
  for (const [language, readers] of Map.groupBy(administrators, languageOf)) {
    const text = { ...textIn(language), format: 'markdown' as const }
    const values = { ...text, created_by: SYSTEM, created_time: at, updated_time: at }
    const [message] = yield* run(tx.insert(messages).values(values).returning())
    const rows = readers.map(({ id }) => ({ user_id: id, message_id: message!.id, created_time: at }))
    yield* run(tx.insert(messageRecipients).values(rows))
  }
}

const languageOf = (user: { language: string }): Language =>
  languageCodes.find(code => code === user.language) ?? languageCodes[0]
