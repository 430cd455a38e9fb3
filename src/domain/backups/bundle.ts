/**
 * Segments of one generation in one object, so that a week has not one object a second. Each stays as it was stored, with
 * its own name, so every second can still be restored. Layout: number of segments, time and length of each, then their bytes.
 */
import { type BackupObject, bundleName, type Segment } from './names.ts'
import type { BackupStore } from './store.ts'
import { altered } from './vault.ts'

export interface StoredSegment extends Segment {
  /** As it is stored. */
  bytes: Uint8Array
}

const BUNDLE_BYTES = 8_388_608
const BUNDLE_SEGMENTS = 3600
const COUNT_BYTES = 4
const ENTRY_BYTES = 12

/** Whether no further segment joins them. */
export const areFull = (segments: StoredSegment[]): boolean =>
  segments.length >= BUNDLE_SEGMENTS || segments.reduce((sum, { bytes }) => sum + bytes.length, 0) >= BUNDLE_BYTES

/** @param segments without a gap. A crash before it is stored leaves the segments, one after it both. */
export async function storeBundle(store: BackupStore, segments: StoredSegment[]): Promise<BackupObject> {
  const [first, { number: last }] = [segments[0]!, segments.at(-1)!]
  const name = bundleName(first, last)
  const head = Buffer.alloc(COUNT_BYTES + segments.length * ENTRY_BYTES)
  head.writeUInt32LE(segments.length, 0)
  for (const [index, { at_ms, bytes }] of segments.entries()) {
    head.writeBigUInt64LE(BigInt(at_ms), COUNT_BYTES + index * ENTRY_BYTES)
    head.writeUInt32LE(bytes.length, COUNT_BYTES + index * ENTRY_BYTES + 8)
  }
  await store.put(name, Buffer.concat([head, ...segments.map(({ bytes }) => bytes)]))
  const { generation, number, at_ms } = first
  return { name, kind: 'bundle', generation, number, last, at_ms, isEnd: false }
}

/** @throws UnusableBackup for one that is cut. What is altered is found when a segment is opened under its name */
export function segmentsIn(store: BackupStore, bundle: BackupObject, bytes: Uint8Array): StoredSegment[] {
  const { generation, number, last } = bundle
  const count = last - number + 1
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let from = COUNT_BYTES + count * ENTRY_BYTES
  if (bytes.length < from || view.getUint32(0, true) !== count) throw altered(store, bundle.name)
  const segments = Array.from({ length: count }, (_, index) => {
    const at = COUNT_BYTES + index * ENTRY_BYTES
    const to = from + view.getUint32(at + 8, true)
    const stored = bytes.subarray(from, to)
    from = to
    return { generation, number: number + index, at_ms: Number(view.getBigUint64(at, true)), bytes: stored }
  })
  if (from !== bytes.length) throw altered(store, bundle.name)
  return segments
}

/**
 * Segments and bundles in the order of generations and numbers.
 * @returns apart from them those that stand in a bundle too
 */
export function inSequence(objects: BackupObject[]): { needed: BackupObject[]; doubled: BackupObject[] } {
  const needed: BackupObject[] = []
  const doubled: BackupObject[] = []
  for (const object of objects.filter(({ kind }) => kind !== 'snapshot').sort(compare)) {
    const before = needed.at(-1)
    const isDoubled = before?.generation === object.generation && object.last <= before.last
    if (isDoubled) doubled.push(object)
    else needed.push(object)
  }
  return { needed, doubled }
}

function compare(one: BackupObject, other: BackupObject): number {
  if (one.generation !== other.generation) return one.generation < other.generation ? -1 : 1
  return one.number - other.number || other.last - one.last || (one.kind < other.kind ? -1 : 1)
}
