/** Previews of announcement, pages, footer, name and logo, as visitors would see them. */
import { z } from 'zod'
import { BrandPreview, ContentPreview, PreviewDialog } from '../../../views/settings/preview.tsx'
import { tabAt } from '../../../views/settings/view.ts'
import { isImageAddress } from '../../contracts/address.ts'
import { PREVIEWED_KEYS, type PreviewedKey } from '../../contracts/option.ts'
import { currentOptions } from '../../domain/options/index.ts'
import { formFields } from '../../web/forms.ts'
import { htmlOfContent } from '../../web/markdown.ts'
import type { PageRequest } from '../list-page.ts'
import { optionLabel } from '../option-words.ts'
import { renderPart, wantsPart } from '../page.tsx'
import { draftOf } from './changes.ts'
import { showTab } from './pages.tsx'
import { openTab } from './request.ts'

export const PreviewQuery = z.object({ key: z.enum(PREVIEWED_KEYS) })

type PreviewRequest = PageRequest<z.output<typeof PreviewQuery>>

/** While a text is typed, the preview alone; from its button without JavaScript, the page with the preview over it. */
export async function showPreview(page: PreviewRequest): Promise<Response> {
  const { key } = page.query
  const form = formFields(page.body)
  const preview = await previewOf(key, form)
  if (wantsPart(page.request)) return renderPart(page.visit, preview)
  const dialog = (
    <PreviewDialog title={optionLabel(key, page.visit)} close={tabAt('other')}>
      {preview}
    </PreviewDialog>
  )
  return showTab(openTab(page, 'other'), draftOf(form), dialog)
}

async function previewOf(key: PreviewedKey, form: Partial<Record<string, string>>) {
  if (key === 'Logo') {
    const { SystemName = currentOptions().value('SystemName'), Logo = '' } = form
    return <BrandPreview name={SystemName} logo={isImageAddress(Logo.trim()) ? Logo.trim() : ''} />
  }
  const text = (form[key] ?? '').trim()
  const frame = isFramed(key) && /^https:\/\/\S+$/.test(text) ? text : undefined
  return <ContentPreview of={key} html={frame ? '' : await htmlOfContent(text)} frame={frame} />
}

/** Pages that an https address replaces. */
const isFramed = (key: PreviewedKey) => key === 'HomePageContent' || key === 'About'
