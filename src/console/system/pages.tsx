/** Routes of the diagnostics page: what runs and how it is, the audit and jobs by button, the support bundle. */
import { z } from 'zod'
import { DiagnosticsPage } from '../../../views/system/diagnostics.tsx'
import { DIAGNOSTICS_PATH } from '../../contracts/diagnostics.ts'
import { diagnostics, runJobNow, startAudit, supportBundle } from '../../domain/system/index.ts'
import { translator } from '../../locales/index.ts'
import { now } from '../../process/clock.ts'
import { rfc3339 } from '../../pure/time.ts'
import { back, listPage, type PageRequest } from '../list-page.ts'
import { render } from '../page.tsx'

const access = { userPage: 'admin' } as const

const JobName = z.object({ name: z.string() })

export const diagnosticsPages = listPage(DIAGNOSTICS_PATH)
  .get('', show, access)
  .get('/bundle.json', bundle, access)
  .post('/audit', audit, access)
  .post('/jobs/:name/run', runJob, { ...access, params: JobName })

async function show({ request, visit }: PageRequest): Promise<Response> {
  const title = translator(visit.language)('diagnostics.title')
  return render(request, visit, <DiagnosticsPage facts={await diagnostics()} />, { title })
}

async function bundle(): Promise<Response> {
  const name = `tollgate-support-${rfc3339(now()).replaceAll(/[:Z]/g, '')}.json`
  return new Response(`${JSON.stringify(await supportBundle(), undefined, 2)}\n`, {
    headers: {
      'content-type': 'application/json',
      'content-disposition': `attachment; filename="${name}"`,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    },
  })
}

async function audit(page: PageRequest): Promise<Response> {
  return back(page, startAudit() ? 'diagnostics.audit_started' : 'diagnostics.audit_runs')
}

/** @throws Refusal 404 */
async function runJob(page: PageRequest & { params: { name: string } }): Promise<Response> {
  const { name } = page.params
  await runJobNow(name)
  return back(page, 'diagnostics.job_started', { name })
}
