/** The running system and its updates, for administrators. */
import { Elysia } from 'elysia'
import { systemInfo } from '../../domain/system/index.ts'
import { envelope, ok } from '../../web/envelope.ts'
import { criticalLimit } from '../../web/ip-rate-limit.ts'
import { guard } from '../guard.ts'
import { releaseCheck } from './release-check.ts'

export const systemApi = new Elysia()
  .use(envelope)
  .use(guard)
  .use(criticalLimit)
  .get('/api/system/', async () => ok(await systemInfo()), { admin: true })
  .post('/api/system/check_update', async () => ok(await releaseCheck()), { root: true, critical: 'check-update' })
