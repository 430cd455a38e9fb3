/** Routes of the setup form, which exists until there is a root account. */
import { Elysia } from 'elysia'
import { Setup } from '../../../views/setup/setup.tsx'
import { LANDING_PATH } from '../../contracts/security-paths.ts'
import type { Visit } from '../../contracts/visit.ts'
import { checkNoImport, mayUpload } from '../../domain/moving-in/index.ts'
import { isSetUp, needsSetupToken, setUp, setupStatus } from '../../domain/setup/index.ts'
import { userByLogin } from '../../domain/users/index.ts'
import { translate } from '../../locales/index.ts'
import { errorsOf, forms } from '../../web/forms.ts'
import { checkLimit } from '../../web/ip-rate-limit.ts'
import { guard } from '../guard.ts'
import { redirectTo, render } from '../page.tsx'
import { completeSignIn, redirectAfterSignIn } from '../sign-in.ts'

export const setupPages = new Elysia()
  .use(guard)
  .use(forms)
  .get('/setup', ({ request, visit }) => setupPage(request, visit), { page: 'setup' })
  .post(
    '/setup',
    async ({ request, server, visit, body }) => {
      const { mode, csrf, ...fields } = body as Record<string, string>
      await checkLimit('critical', request, server, 'setup')
      try {
        checkNoImport()
        await setUp({ ...fields, SelfUseModeEnabled: mode === 'self', DemoSiteEnabled: mode === 'demo' })
      } catch (error) {
        // A double click, or another visitor, has set up the site in the meantime.
        if (await isSetUp()) return redirectTo('/login')
        return setupPage(request, visit, body as Record<string, string>, errorsOf(error, visit.language))
      }
      const notice = { kind: 'success', text: translate(visit.language, 'setup.done') } as const
      // Where there was a root account before, the form made none.
      const root = fields.username ? await userByLogin(fields.username) : undefined
      if (!root) return redirectTo('/login', notice)
      return redirectAfterSignIn(await completeSignIn(root, { request, server }), LANDING_PATH, notice)
    },
    { page: 'setup' },
  )

async function setupPage(
  request: Request,
  visit: Visit,
  fields: Record<string, string> = {},
  errors?: Record<string, string>,
) {
  const { status, root_init: hasRoot, database_type } = await setupStatus()
  if (status) return redirectTo('/login')
  const values = { username: fields.username, mode: fields.mode ?? 'external' }
  const page = (
    <Setup
      visit={visit}
      hasRoot={hasRoot}
      mayImport={await mayUpload()}
      needsToken={needsSetupToken()}
      database={database_type}
      values={values}
      errors={errors}
    />
  )
  const title = translate(visit.language, 'setup.title')
  return render(request, visit, page, { title, frame: 'auth', status: errors ? 422 : 200 })
}
