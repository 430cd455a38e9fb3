/** The newest release with its notes as HTML. */
import type { ReleaseCheck } from '../../contracts/system.ts'
import { latestRelease } from '../../domain/system/index.ts'
import { htmlOfContent } from '../../web/markdown.ts'

/** @throws Refusal as `latestRelease` */
export async function releaseCheck(): Promise<ReleaseCheck> {
  const release = await latestRelease()
  return { ...release, notes: await htmlOfContent(release.notes) }
}
