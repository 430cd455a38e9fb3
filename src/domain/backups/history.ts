/** Makes the database file of a second: the newest snapshot before it, and the segments up to it. */
import { promises as files } from 'node:fs'
import { checkKeyMark } from '../../db/dump/format.ts'
import { isKnown } from '../../db/dump/schema.ts'
import { MS_PER_SECOND, rfc3339, unixSeconds } from '../../pure/time.ts'
import { type BackupObject, endName, objectsIn, partName, type Snapshot, snapshotsIn } from './names.ts'
import { imagesIn } from './segment.ts'
import { PART_BYTES, type SnapshotEnd } from './snapshot.ts'
import { UnusableBackup, type Vault } from './vault.ts'

/** Objects that are read ahead of the one that is written. */
const AHEAD = 8

export interface RestoredFile {
  /** Of PostgreSQL it is a dump. */
  engine: SnapshotEnd['engine']
  bytes: number
  segments: number
  /** Moment that the file shows. */
  at_ms: number
}

/**
 * @param until last second to restore, in Unix seconds; the newest one when it is not given
 * @throws UnusableBackup; then the file is not whole
 */
export async function restoreHistory(vault: Vault, path: string, until?: number): Promise<RestoredFile> {
  const objects = objectsIn(await vault.store.list())
  const end_ms = until === undefined ? Number.POSITIVE_INFINITY : (until + 1) * MS_PER_SECOND
  const snapshot = snapshotsIn(objects).findLast(({ at_ms }) => at_ms < end_ms)
  if (!snapshot) throw noSnapshot(vault, objects, until)
  const segments = segmentsBehind(vault, objects, snapshot).filter(({ at_ms }) => at_ms < end_ms)
  const end = await endOf(vault, snapshot)
  const file = await files.open(path, 'wx', 0o600)
  try {
    const names = Array.from({ length: end.parts }, (_, part) => partName(snapshot, part))
    await inOrder(vault, names, (bytes, part) => writeAt(file, bytes, part * PART_BYTES))
    await file.truncate(end.bytes)
    const images = segments.map(({ name }) => name)
    await inOrder(vault, images, bytes => apply(file, bytes))
    await file.sync()
    const { size } = await file.stat()
    return {
      engine: end.engine,
      bytes: size,
      segments: segments.length,
      at_ms: segments.at(-1)?.at_ms ?? snapshot.at_ms,
    }
  } finally {
    await file.close()
  }
}

function noSnapshot(vault: Vault, objects: BackupObject[], until: number | undefined) {
  const [first] = snapshotsIn(objects)
  return new UnusableBackup(
    first && until !== undefined
      ? `the backup in ${vault.store.name} has no snapshot before ${rfc3339(until)}; the first one is of ${rfc3339(unixSeconds(first.at_ms))}`
      : `the backup in ${vault.store.name} has no whole snapshot`,
  )
}

function segmentsBehind(vault: Vault, objects: BackupObject[], { generation, next }: Snapshot): BackupObject[] {
  const found = objects
    .filter(object => object.kind === 'segment' && object.generation === generation && object.number >= next)
    .sort((one, other) => one.number - other.number)
  const gap = found.findIndex(({ number }, at) => number !== next + at)
  if (gap < 0) return found
  const name = `segment ${next + gap} of ${generation}`
  throw new UnusableBackup(`the backup in ${vault.store.name} is damaged: ${name} is missing`)
}

async function endOf(vault: Vault, snapshot: Snapshot): Promise<SnapshotEnd> {
  const end: SnapshotEnd = JSON.parse(new TextDecoder().decode(await vault.read(endName(snapshot))))
  if (!isKnown(end.engine, end.migration))
    throw new UnusableBackup(
      `the backup in ${vault.store.name} is newer than this program (Tollgate ${end.version}, ${end.migration}); use a newer Tollgate`,
    )
  checkKeyMark(end)
  return end
}

/** Reads several at one time, and writes one after the other. */
async function inOrder(vault: Vault, names: string[], write: (bytes: Uint8Array, at: number) => Promise<void>) {
  const reading: Promise<Uint8Array>[] = []
  for (let at = 0; at < names.length; at++) {
    while (reading.length < AHEAD && at + reading.length < names.length) {
      const read = vault.read(names[at + reading.length]!)
      // Of several that fail the first one is reported.
      read.catch(() => {})
      reading.push(read)
    }
    await write(await reading.shift()!, at)
  }
}

async function apply(file: files.FileHandle, bytes: Uint8Array) {
  const { page_bytes, pages, numbers, images } = imagesIn(bytes)
  for (const [at, number] of numbers.entries())
    await writeAt(file, images.subarray(at * page_bytes, (at + 1) * page_bytes), (number - 1) * page_bytes)
  await file.truncate(pages * page_bytes)
}

async function writeAt(file: files.FileHandle, bytes: Uint8Array, position: number) {
  await file.write(bytes, 0, bytes.length, position)
}
