/**
 * Names of the objects of a backup. A generation is an unbroken history: snapshots of the whole database, segments with
 * the pages that were committed in about a second, and bundles of segments. The names sort by time.
 */
import { randomKey } from '../../crypto/random-id.ts'

export interface Snapshot {
  generation: string
  /** Number of the first segment behind it. */
  next: number
  at_ms: number
}

export type Segment = { generation: string; number: number; at_ms: number }

const digits = (number: number, count: number) => String(number).padStart(count, '0')

export const newGeneration = (at_ms: number) => `${digits(at_ms, 14)}-${randomKey(8)}`

export const segmentName = ({ generation, number, at_ms }: Segment) =>
  `${generation}/segment-${digits(number, 10)}-${digits(at_ms, 14)}`
/** Segments without a gap, by the numbers of the first and the last one and the time of the first one. */
export const bundleName = ({ generation, number, at_ms }: Segment, last: number) =>
  `${generation}/bundle-${digits(number, 10)}-${digits(last, 10)}-${digits(at_ms, 14)}`
const snapshotFolder = ({ generation, next, at_ms }: Snapshot) =>
  `${generation}/snapshot-${digits(next, 10)}-${digits(at_ms, 14)}`
export const partName = (of: Snapshot, part: number) => `${snapshotFolder(of)}/part-${digits(part, 6)}`
/** Written last: a snapshot without it is not whole. */
export const endName = (of: Snapshot) => `${snapshotFolder(of)}/end`

const NAME = /^(\d{14}-\w{8})\/(segment|snapshot|bundle)-(\d{10})(?:-(\d{10}))?-(\d{14})(?:\/(end|part-\d{6}))?$/

export interface BackupObject extends Segment {
  name: string
  kind: 'segment' | 'snapshot' | 'bundle'
  /** Number of its last segment. */
  last: number
  isEnd: boolean
}

/** What has another name is no part of a backup. */
export const objectsIn = (names: string[]): BackupObject[] =>
  names.flatMap(name => {
    const [, generation, kind, number, last = number, at, end] = NAME.exec(name) ?? []
    if (!generation) return []
    return [
      {
        ...{ name, generation, kind: kind as BackupObject['kind'] },
        ...{ number: Number(number), last: Number(last), at_ms: Number(at), isEnd: end === 'end' },
      },
    ]
  })

/** Newest moment of some objects. @returns undefined without one */
export const newestIn = (objects: BackupObject[]): number | undefined =>
  objects.length ? objects.reduce((newest, { at_ms }) => Math.max(newest, at_ms), 0) : undefined

/** Whole snapshots in the order of their times. */
export const snapshotsIn = (objects: BackupObject[]): Snapshot[] =>
  objects
    .filter(({ isEnd }) => isEnd)
    .map(({ generation, number, at_ms }) => ({ generation, next: number, at_ms }))
    .sort((one, other) => one.at_ms - other.at_ms)
