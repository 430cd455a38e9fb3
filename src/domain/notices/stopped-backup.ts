/** A message to administrators when the backup has stopped for a while; failed tests have messages of their own. */
import { and, eq } from 'drizzle-orm'
import type { Lease } from '../../cluster/lease.ts'
import { DIAGNOSTICS_PATH } from '../../contracts/diagnostics.ts'
import { atomic, run } from '../../db/atomic.ts'
import { db } from '../../db/database.ts'
import { translate } from '../../locales/index.ts'
import { now, now_ms } from '../../process/clock.ts'
import { backupState } from '../backups/index.ts'
import { messageAdministrators } from '../messages/index.ts'
import { rootUser } from '../users/index.ts'
import { noticeTimes } from './table.ts'

const KIND = 'stopped_backup'
/** A bucket that is away for less is caught up with. */
const PATIENCE_MS = 600_000
/** At most one message in this time, however often it stops. */
const PAUSE_SECONDS = 86_400
/** Characters of the store's reason. */
const REASON_MAX = 200

export async function reportStoppedBackup(_: AbortSignal, lease: Lease) {
  const { error, failing_ms } = backupState() ?? {}
  if (error === undefined || Math.abs(now_ms() - (failing_ms ?? 0)) < PATIENCE_MS) return
  const root = await rootUser()
  if (!root) return
  const isMine = and(eq(noticeTimes.user_id, root.id), eq(noticeTimes.kind, KIND))
  const [last] = await db.select().from(noticeTimes).where(isMine)
  if (last && Math.abs(now() - last.sent_time) < PAUSE_SECONDS) return
  const reason = error.slice(0, REASON_MAX).replaceAll('`', "'")
  await atomic(function* (tx) {
    yield* lease.keep(tx)
    yield* messageAdministrators(tx, language => ({
      title: translate(language, 'message.backup_stopped_title'),
      content: translate(language, 'message.backup_stopped_text', { reason, link: DIAGNOSTICS_PATH }),
    }))
    yield* run(
      tx
        .insert(noticeTimes)
        .values({ user_id: root.id, kind: KIND, sent_time: now() })
        .onConflictDoUpdate({ target: [noticeTimes.user_id, noticeTimes.kind], set: { sent_time: now() } }),
    )
  })
}
