/** Routes of the palette: its results for the dialog, the whole page without JavaScript, the sheet of shortcuts. */

import { z } from 'zod'
import { PalettePage, PaletteResults } from '../../../views/palette/palette.tsx'
import { ShortcutsPage } from '../../../views/palette/shortcuts.tsx'
import { PALETTE_PATH } from '../../contracts/palette.ts'
import { translate } from '../../locales/index.ts'
import { listPage, type PageRequest } from '../list-page.ts'
import { render, renderPart, wantsPart } from '../page.tsx'
import { paletteResults } from './results.ts'

const PaletteQuery = z.object({ q: z.string().default('') })
const TEXT_MAX = 100

type PalettePageRequest = PageRequest<z.output<typeof PaletteQuery>>

const access = { userPage: 'signedIn', query: PaletteQuery } as const

export const palettePages = listPage(PALETTE_PATH).get('', show, access).get('/shortcuts', showShortcuts, access)

async function show({ request, visit, caller, query }: PalettePageRequest): Promise<Response> {
  const text = query.q.trim().slice(0, TEXT_MAX)
  const groups = await paletteResults(visit, caller, text)
  if (wantsPart(request))
    return renderPart(visit, <PaletteResults groups={groups} text={text} returnTo={pageBelow(request)} asOptions />)
  const title = translate(visit.language, 'palette.title')
  return render(request, visit, <PalettePage groups={groups} text={text} returnTo={visit.url} />, { title })
}

/** The page that the dialog is open over. */
function pageBelow(request: Request): string {
  const below = URL.parse(request.headers.get('hx-current-url') ?? '')
  return below ? below.pathname + below.search : '/'
}

async function showShortcuts({ request, visit }: PalettePageRequest): Promise<Response> {
  const title = translate(visit.language, 'palette.shortcuts')
  return render(request, visit, <ShortcutsPage visit={visit} />, { title })
}
