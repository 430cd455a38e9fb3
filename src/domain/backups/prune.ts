/** Deletes what no second of the last `BACKUP_KEEP` days needs, and what stands in a bundle too. */
import { env } from '../../env.ts'
import { now_ms } from '../../process/clock.ts'
import { inSequence } from './bundle.ts'
import { bundleLeft } from './bundler.ts'
import { type BackupObject, objectsIn, snapshotsIn } from './names.ts'
import { backupState, isTesting } from './state.ts'
import type { BackupStore } from './store.ts'

const DAY_MS = 86_400_000

/**
 * While the last test of the backup has failed, or one runs, nothing is deleted: an older snapshot may be the last good one.
 * @param goesOn false ends it early
 */
export async function prune(store: BackupStore, goesOn: () => boolean) {
  const mayGoOn = () => goesOn() && !isTesting() && backupState()?.last_test?.ok !== false
  if (!mayGoOn()) return
  const objects = objectsIn(await store.list())
  const old = new Set(unneeded(objects, now_ms() - env.BACKUP_KEEP * DAY_MS))
  await removeAll(store, [...old], mayGoOn)
  // Those of the last day belong to the bundler of the process that uploads them.
  const settled = objects.filter(object => !old.has(object) && object.at_ms < now_ms() - DAY_MS)
  settled.push(...(await bundleLeft(store, settled, mayGoOn)))
  await removeAll(store, inSequence(settled).doubled, mayGoOn)
}

/** The end of a snapshot goes first: without its segments it is no snapshot. */
async function removeAll(store: BackupStore, objects: BackupObject[], mayGoOn: () => boolean) {
  for (const { name } of objects.sort((one, other) => Number(other.isEnd) - Number(one.isEnd)))
    if (mayGoOn()) await store.remove(name)
}

/** The newest snapshot before the horizon is the first one that is kept, and all that is older than it goes. */
function unneeded(objects: BackupObject[], horizon_ms: number): BackupObject[] {
  const first = snapshotsIn(objects).findLast(({ at_ms }) => at_ms <= horizon_ms)
  if (!first) return []
  return objects.filter(({ generation, last }) =>
    generation === first.generation ? last < first.next : generation < first.generation,
  )
}
