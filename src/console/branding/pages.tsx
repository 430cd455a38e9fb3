/** Route of the about page: the operator's, or the built-in one. */
import { Elysia } from 'elysia'
import { About } from '../../../views/branding/about.tsx'
import { DEFAULT_GROUP } from '../../contracts/pricing.ts'
import type { Visit } from '../../contracts/visit.ts'
import { priceList } from '../../domain/pricing/index.ts'
import { translate } from '../../locales/index.ts'
import { siteOf } from '../../web/request.ts'
import { guard } from '../guard.ts'
import { operatorPage } from '../operator-content.tsx'
import { render } from '../page.tsx'
import type { RequestContext } from '../visit.ts'

export const brandingPages = new Elysia().use(guard).get('/about', about, { page: 'anyone' })

async function about({ request, server, visit }: RequestContext & { visit: Visit }): Promise<Response> {
  const title = translate(visit.language, 'shell.about')
  const own = await operatorPage('About', title, visit)
  if (own) return render(request, visit, own.content, { title, frame: 'public', headers: own.headers })
  const group = visit.caller?.group ?? DEFAULT_GROUP
  const models = (await priceList(group)).models.filter(model => model.enable_groups.includes(group))
  const base = visit.status.server_address || siteOf(request, server)
  return render(request, visit, <About visit={visit} base={base} models={models.length} />, { title, frame: 'public' })
}
