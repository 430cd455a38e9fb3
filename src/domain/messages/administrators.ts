/** Messages of the system to administrators and users, each in the reader's language. */
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

/** In Markdown. */
type TextIn = (language: Language) => Pick<MessageEdit, 'title' | 'content'>

export function* messageAdministrators(tx: Tx, textIn: TextIn) {
  const isActive = and(eq(users.status, UserStatus.enabled), isNull(users.deleted_time))
  const administrators = yield* run(
    tx
      .select({ id: users.id, language: users.language })
      .from(users)
      .where(and(isActive, gte(users.role, Role.admin))),
  )
  yield* send(tx, administrators, textIn)
}

export const messageUser = (tx: Tx, user: Reader, textIn: TextIn) => send(tx, [user], textIn)

interface Reader {
  id: number
  language: string
}

function* send(tx: Tx, all: readonly Reader[], textIn: TextIn) {
  const at = now()
  for (const [language, readers] of Map.groupBy(all, languageOf)) {
    const { title, content } = textIn(language)
    const text = { title, content, format: 'markdown' as const }
    const values = { ...text, created_by: SYSTEM, created_time: at, updated_time: at }
    const [message] = yield* run(tx.insert(messages).values(values).returning())
    const rows = readers.map(({ id }) => ({ user_id: id, message_id: message!.id, created_time: at }))
    yield* run(tx.insert(messageRecipients).values(rows))
  }
}

const languageOf = (user: Reader): Language => languageCodes.find(code => code === user.language) ?? languageCodes[0]
