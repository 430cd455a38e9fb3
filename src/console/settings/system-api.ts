/** JSON API of the running system and its updates, for administrators. */
import { Elysia } from 'elysia'
import type { ReleaseCheck } from '../../contracts/system.ts'
import { latestRelease, systemInfo } from '../../domain/system/index.ts'
import { envelope, ok } from '../../web/envelope.ts'
import { criticalLimit } from '../../web/ip-rate-limit.ts'
import { htmlOfContent } from '../../web/markdown.ts'
import { guard } from '../guard.ts'

export const systemApi = new Elysia()
  .use(envelope)
  .use(guard)
  .use(criticalLimit)
  .get('/api/system/', async () => ok(await systemInfo()), { admin: true })
  .post('/api/system/check_update', async () => ok(await releaseCheck()), { root: true, critical: 'check-update' })

/** The newest release with its notes as HTML. @throws Refusal as `latestRelease` */
export async function releaseCheck(): Promise<ReleaseCheck> {
  const release = await latestRelease()
  return { ...release, notes: await htmlOfContent(release.notes) }
}
