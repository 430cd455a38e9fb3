import { z } from 'zod'
import { line, name, type Option, section, text } from './declare.ts'

/** A style sheet that would close itself and open a script is not one. */
const styles: Option<string> = {
  ...text('css', { root: true }),
  schema: z.string().refine(css => !/<script|<\/style/i.test(css), 'option.css_with_script'),
}

/** What runs in every visitor's session is root's. */
export const branding = section({
  tab: 'other',
  options: {
    Notice: text('markdown', { root: true }),
    SystemName: name('Tollgate', { publicAs: 'system_name' }),
    Logo: line('', { publicAs: 'logo' }),
    HomePageContent: text('markdown', { root: true }),
    About: text('markdown', { root: true }),
    Footer: text('html', { root: true, publicAs: 'footer_html' }),
    custom_head_html: text('html', { root: true }),
    global_css: styles,
    global_js: text('js', { root: true }),
  },
})
