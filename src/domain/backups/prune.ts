/** Deletes what no second of the last `BACKUP_KEEP` days needs. */
import { env } from '../../env.ts'
import { now_ms } from '../../process/clock.ts'
import { type BackupObject, objectsIn, snapshotsIn } from './names.ts'
import type { BackupStore } from './store.ts'

const DAY_MS = 86_400_000

export async function prune(store: BackupStore) {
  const objects = objectsIn(await store.list())
  for (const { name } of unneeded(objects, now_ms() - env.BACKUP_KEEP * DAY_MS)) await store.remove(name)
}

/** The newest snapshot before the horizon is the first one that is kept, and all that is older than it goes. */
function unneeded(objects: BackupObject[], horizon_ms: number): BackupObject[] {
  const first = snapshotsIn(objects).findLast(({ at_ms }) => at_ms <= horizon_ms)
  if (!first) return []
  return objects.filter(({ generation, number }) =>
    generation === first.generation ? number < first.next : generation < first.generation,
  )
}
