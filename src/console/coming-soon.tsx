/** Screens that the menus name and that this version does not have yet. */
import { Elysia } from 'elysia'
import { ComingSoon } from '../../views/layout/coming-soon.tsx'
import type { Visit } from '../contracts/visit.ts'
import { translate } from '../locales/index.ts'
import { guard } from './guard.ts'
import { render } from './page.tsx'

const paths = {
  anyone: ['/pricing', '/about', '/register', '/reset', '/user/reset'],
  signedIn: [
    ...['/app/me', '/app/wallet', '/app/dashboard', '/app/logs/drawing', '/app/logs/tasks', '/app/inbox'],
    ...['/app/inbox/:id', '/playground', '/chat', '/chat/:id', '/chat2link'],
  ],
  admin: [...['/admin/coupons', '/admin/users', '/admin/settings', '/admin/messages', '/user/edit', '/user/edit/:id']],
} as const

export const comingSoonPages = new Elysia().use(pagesFor('anyone')).use(pagesFor('signedIn')).use(pagesFor('admin'))

function pagesFor(page: keyof typeof paths) {
  const routes = new Elysia().use(guard)
  for (const path of paths[page]) routes.get(path, ({ request, visit }) => comingSoon(request, visit), { page })
  return routes
}

const comingSoon = (request: Request, visit: Visit) =>
  render(request, visit, <ComingSoon version={visit.status.version} />, {
    title: translate(visit.language, 'error.later'),
    frame: visit.caller ? 'console' : 'public',
    status: 404,
  })
