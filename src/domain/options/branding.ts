/** Options of branding: name, logo, custom pages, style and scripts. */
import { z } from 'zod'
import { isImageAddress } from '../../contracts/address.ts'
import { flag, line, name, type OptionDeclaration, section, text } from './declare.ts'

/** Refuses CSS that would close its style element. */
const styles: OptionDeclaration<string> = {
  ...text('css'),
  schema: z.string().refine(css => !/<script|<\/style/i.test(css), 'option.css_with_script'),
}

/** Refuses HTML with an open comment, script, style, title or template, which would swallow every page after it. */
const head: OptionDeclaration<string> = {
  ...text('html', { root: true }),
  schema: z.string().refine(html => isClosed(html), 'option.head_left_open'),
}

const END = 'tollgate-end'

function isClosed(html: string): boolean {
  let ends = 0
  let insideTemplate = 0
  new HTMLRewriter()
    .on(END, { element: () => void ends++ })
    .on(`template ${END}`, { element: () => void insideTemplate++ })
    .transform(`${html}<${END}></${END}>`)
  return ends > 0 && insideTemplate === 0
}

const logo: OptionDeclaration<string> = {
  ...line('', { publicAs: 'logo' }),
  schema: z
    .string()
    .trim()
    .refine(address => address === '' || isImageAddress(address), 'option.not_image'),
}

export const announcement = section({ tab: 'other', options: { Notice: text('markdown', { root: true }) } })

export const identity = section({
  tab: 'other',
  options: { SystemName: name('Tollgate', { publicAs: 'system_name' }), Logo: logo },
})

export const pages = section({
  tab: 'other',
  options: {
    HomePageContent: text('markdown', { root: true }),
    About: text('markdown', { root: true }),
    Footer: text('html', { root: true, publicAs: 'footer_html' }),
    StatusPageEnabled: flag(false, { publicAs: 'status_page_enabled' }),
  },
})

/** Scripts and styles run in every user's session: only root may change them. */
export const customCode = section({
  tab: 'other',
  root: true,
  options: { custom_head_html: head, global_css: styles, global_js: text('js') },
})
