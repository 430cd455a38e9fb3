/** Screens that the menus name and that this version does not have yet. */
import { Elysia } from 'elysia'
import { ComingSoon } from '../../views/layout/coming-soon.tsx'
import { labelOf } from '../../views/layout/menu.ts'
import type { Visit } from '../contracts/visit.ts'
import { translator } from '../locales/index.ts'
import { guard } from './guard.ts'
import { render } from './page.tsx'

const paths = ['/app/logs/drawing', '/app/logs/tasks']

export const comingSoonPages = new Elysia().use(guard)
for (const path of paths)
  comingSoonPages.get(path, ({ request, visit }) => comingSoon(request, visit), { page: 'signedIn' })

function comingSoon(request: Request, visit: Visit) {
  const t = translator(visit.language)
  const title = labelOf(new URL(request.url).pathname, visit, t) ?? t('error.later')
  return render(request, visit, <ComingSoon title={title} version={visit.status.version} />, {
    title,
    status: 404,
  })
}
