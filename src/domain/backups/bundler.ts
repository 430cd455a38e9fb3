/** Puts segments that were uploaded into bundles. Nothing waits for it; what a failure or the end of the process leaves, `prune` bundles. */
import { now_ms } from '../../process/clock.ts'
import { areFull, inSequence, type StoredSegment, storeBundle } from './bundle.ts'
import { type BackupObject, segmentName } from './names.ts'
import { isTesting } from './state.ts'
import type { BackupStore } from './store.ts'

/** A restore that has listed the segments still reads them for so long. */
const REMOVE_AFTER_MS = 3_600_000

export class Bundler {
  #segments: StoredSegment[] = []
  /** Segments of stored bundles, which are to be removed. */
  #doubled: { names: string[]; stored_ms: number }[] = []

  constructor(private readonly store: BackupStore) {}

  add(segment: StoredSegment) {
    this.#segments.push(segment)
    if (!areFull(this.#segments)) return
    const segments = this.#segments
    this.#segments = []
    // A store that fails is reported by the upload of the next segment.
    this.#bundle(segments).catch(() => {})
  }

  async #bundle(segments: StoredSegment[]) {
    await storeBundle(this.store, segments)
    this.#doubled.push({ names: segments.map(segmentName), stored_ms: now_ms() })
    while (this.#doubled[0] && now_ms() - this.#doubled[0].stored_ms >= REMOVE_AFTER_MS && !isTesting())
      for (const name of this.#doubled.shift()!.names) await this.store.remove(name)
  }
}

/** Bundles segments that stand alone. @returns the bundles. @param goesOn false ends it early */
export async function bundleLeft(store: BackupStore, objects: BackupObject[], goesOn: () => boolean) {
  const made: BackupObject[] = []
  let open: StoredSegment[] = []
  const close = async () => {
    if (open.length) made.push(await storeBundle(store, open))
    open = []
  }
  for (const segment of inSequence(objects).needed) {
    if (segment.kind === 'bundle') continue
    if (!goesOn()) return made
    const last = open.at(-1)
    if (last && (last.generation !== segment.generation || last.number + 1 !== segment.number)) await close()
    const bytes = await store.get(segment.name)
    if (bytes) open.push({ ...segment, bytes })
    if (areFull(open)) await close()
  }
  await close()
  return made
}
