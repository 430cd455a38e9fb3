/** Messages of administrators of Veloera, and who has read them. */
import type { MessageFormat } from '../../contracts/message.ts'
import { atomic, run } from '../../db/atomic.ts'
import type { ForeignRow } from '../../db/foreign/foreign-database.ts'
import { now } from '../../process/clock.ts'
import { messageRecipients, messages } from '../messages/table.ts'
import { carryAll, type Entry } from './carry.ts'
import type { Move } from './move.ts'
import { moment, text, whole } from './row.ts'

type MessageRow = typeof messages.$inferInsert

export async function moveMessages(move: Move) {
  if (move.product !== 'veloera') return
  await carryAll<MessageRow>(move, {
    noun: 'message',
    table: messages,
    batches: move.from.read('messages', ['title', 'content', 'format', 'created_at', 'updated_at', 'created_by']),
    read: rows => rows.map(row => entryOf(move, row)),
    *write(tx, entries) {
      const ids: number[] = []
      for (const { row } of entries) {
        const [made] = yield* run(tx.insert(messages).values(row).returning({ id: messages.id }))
        ids.push(made!.id)
      }
      return ids
    },
  })
  await moveRecipients(move)
}

function entryOf(move: Move, row: ForeignRow): Entry<MessageRow> {
  const created_time = moment(row.created_at) || now()
  const format: MessageFormat = text(row.format) === 'html' ? 'html' : 'markdown'
  return {
    source_id: whole(row.id),
    row: {
      ...{ title: text(row.title), content: text(row.content), format, created_time },
      created_by: move.ids.user.get(whole(row.created_by)) ?? 0,
      updated_time: moment(row.updated_at) || created_time,
    },
  }
}

/** What was read here since stays read. */
async function moveRecipients(move: Move) {
  for await (const rows of move.from.read('user_messages', ['user_id', 'message_id', 'read_at', 'created_at'])) {
    if (move.isDry) continue
    const recipients = rows.flatMap(row => {
      const user_id = move.ids.user.get(whole(row.user_id))
      const message_id = move.ids.message.get(whole(row.message_id))
      if (!user_id || !message_id || move.deletedUsers.has(whole(row.user_id))) return []
      return [
        { user_id, message_id, read_time: moment(row.read_at) || null, created_time: moment(row.created_at) || now() },
      ]
    })
    if (recipients.length)
      await atomic(function* (tx) {
        yield* run(tx.insert(messageRecipients).values(recipients).onConflictDoNothing())
      })
  }
}
