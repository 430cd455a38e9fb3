/** Screens that the menus name and that this version does not have yet. */
import { Elysia } from 'elysia'
import { ComingSoon } from '../../views/layout/coming-soon.tsx'
import { labelOf } from '../../views/layout/menu.ts'
import type { Visit } from '../contracts/visit.ts'
import { translator } from '../locales/index.ts'
import { guard } from './guard.ts'
import { render } from './page.tsx'

const paths = {
  anyone: ['/about'],
  signedIn: ['/app/logs/drawing', '/app/logs/tasks'],
} as const

export const comingSoonPages = new Elysia().use(pagesFor('anyone')).use(pagesFor('signedIn'))

function pagesFor(page: keyof typeof paths) {
  const routes = new Elysia().use(guard)
  for (const path of paths[page]) routes.get(path, ({ request, visit }) => comingSoon(request, visit), { page })
  return routes
}

function comingSoon(request: Request, visit: Visit) {
  const t = translator(visit.language)
  const title = labelOf(new URL(request.url).pathname, visit, t) ?? t('error.later')
  const frame = visit.caller ? 'console' : 'public'
  return render(request, visit, <ComingSoon title={title} version={visit.status.version} />, {
    title,
    frame,
    status: 404,
  })
}
