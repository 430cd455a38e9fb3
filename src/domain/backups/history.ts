/** Makes the database file of a second: the newest snapshot before it, and the segments up to it. */
import { promises as files } from 'node:fs'
import { checkKeyMark } from '../../db/dump/format.ts'
import { isKnown } from '../../db/dump/schema.ts'
import { MS_PER_SECOND, rfc3339, unixSeconds } from '../../pure/time.ts'
import { inSequence, type StoredSegment, segmentsIn } from './bundle.ts'
import { type BackupObject, endName, objectsIn, partName, type Snapshot, segmentName, snapshotsIn } from './names.ts'
import { imagesIn } from './segment.ts'
import { PART_BYTES, type SnapshotEnd } from './snapshot.ts'
import { UnusableBackup, type Vault } from './vault.ts'

/** Objects that are read, and segments that are decrypted, ahead of the one that is written. */
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
  const needed = before(segmentsBehind(vault, objects, snapshot), end_ms)
  const end = await endOf(vault, snapshot)
  const file = await files.open(path, 'wx', 0o600)
  try {
    const parts = Array.from({ length: end.parts }, (_, part) => partName(snapshot, part))
    let position = 0
    for await (const bytes of ahead(parts, vault.read)) {
      await writeAt(file, bytes, position)
      position += PART_BYTES
    }
    await file.truncate(end.bytes)
    const { segments, at_ms } = await applyAll(file, vault, needed, snapshot.next, end_ms)
    await file.sync()
    const { size } = await file.stat()
    return { engine: end.engine, bytes: size, segments, at_ms: at_ms ?? snapshot.at_ms }
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

/** Segments, and bundles of them, without a gap. */
function segmentsBehind(vault: Vault, objects: BackupObject[], { generation, next }: Snapshot): BackupObject[] {
  const { needed } = inSequence(objects.filter(object => object.generation === generation && object.last >= next))
  let expected = next
  for (const { number, last } of needed) {
    if (number > expected) {
      const name = `segment ${expected} of ${generation}`
      throw new UnusableBackup(`the backup in ${vault.store.name} is damaged: ${name} is missing`)
    }
    expected = last + 1
  }
  return needed
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

/** @returns how many were applied, and the time of the last one */
async function applyAll(
  file: files.FileHandle,
  vault: Vault,
  needed: BackupObject[],
  next: number,
  end_ms: number,
): Promise<{ segments: number; at_ms?: number }> {
  let expected = next
  let at_ms: number | undefined
  for await (const stored of ahead(needed, object => storedIn(vault, object))) {
    const wanted = before(stored, end_ms).filter(({ number }) => number >= expected)
    for await (const bytes of ahead(wanted, segment => vault.open(segmentName(segment), segment.bytes)))
      await apply(file, bytes)
    const last = wanted.at(-1)
    if (last) [expected, at_ms] = [last.number + 1, last.at_ms]
  }
  return { segments: expected - next, at_ms }
}

/** Those up to the first one that is past a moment: after a clock was set back, later ones may be before it. */
function before<T extends { at_ms: number }>(items: T[], end_ms: number): T[] {
  const past = items.findIndex(({ at_ms }) => at_ms >= end_ms)
  return past < 0 ? items : items.slice(0, past)
}

async function storedIn({ store, stored }: Vault, object: BackupObject): Promise<StoredSegment[]> {
  const bytes = await stored(object.name)
  return object.kind === 'bundle' ? segmentsIn(store, object, bytes) : [{ ...object, bytes }]
}

/** Reads several at one time, and gives one after the other. */
async function* ahead<T, R>(items: T[], read: (item: T) => Promise<R>): AsyncGenerator<R> {
  const reading: Promise<R>[] = []
  for (let at = 0; at < items.length; at++) {
    while (reading.length < AHEAD && at + reading.length < items.length) {
      const next = read(items[at + reading.length]!)
      // Of several that fail the first one is reported.
      next.catch(() => {})
      reading.push(next)
    }
    yield await reading.shift()!
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
