/** Forms of the settings page, read and sent as a browser without scripts does. */
import { catalog, type OptionKey } from '../../../src/domain/options/catalog.ts'
import type { Person } from './person.ts'

/** A list for a name that ends in `[]`. */
type Fields = Record<string, string | string[]>

const plainText = (html: string) =>
  html
    .replaceAll('&quot;', '"')
    .replaceAll('&#x27;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')

/** What a browser would send, by the section of the form. */
export async function sectionForms(html: string): Promise<Record<string, Fields>> {
  const forms: Record<string, Fields> = {}
  let fields: Fields | undefined
  let area = ''
  let select = ''
  const rewriter = new HTMLRewriter()
    .on('form[data-section]', {
      element(form) {
        fields = forms[form.getAttribute('data-section')!] = {}
        form.onEndTag(() => {
          fields = undefined
        })
      },
    })
    .on('input[name]', {
      element(input) {
        if (!fields || input.hasAttribute('disabled')) return
        if (input.getAttribute('type') === 'checkbox' && !input.hasAttribute('checked')) return
        const name = input.getAttribute('name')!
        const value = plainText(input.getAttribute('value') ?? '')
        fields[name] = name.endsWith('[]') ? [...((fields[name] as string[]) ?? []), value] : value
      },
    })
    .on('textarea[name]', {
      element(textarea) {
        area = ''
        const name = textarea.getAttribute('name')!
        const into = textarea.hasAttribute('disabled') ? undefined : fields
        textarea.onEndTag(() => {
          if (into) into[name] = plainText(area)
        })
      },
      text(chunk) {
        area += chunk.text
      },
    })
    .on('select[name]', {
      element(element) {
        select = element.getAttribute('name')!
      },
    })
    .on('option[selected]', {
      element(option) {
        if (fields) fields[select] = plainText(option.getAttribute('value') ?? '')
      },
    })
  await rewriter.transform(new Response(html)).text()
  return forms
}

export async function openSettings(person: Person, tab: string, query = '') {
  const response = await person.page(`/admin/settings?tab=${tab}${query}`)
  const html = await response.text()
  return { status: response.status, html, forms: await sectionForms(html) }
}

/** Sends a section with some fields changed; an undefined one is not sent, as an unticked box. */
export async function sendSection(
  person: Person,
  fields: Fields,
  changes: Record<string, string | string[] | undefined>,
) {
  const all = Object.entries({ ...fields, ...changes }).filter(([, value]) => value !== undefined) as [
    string,
    string | string[],
  ][]
  const response = await person.form('/admin/settings/save', { ...Object.fromEntries(all), csrf: person.csrf })
  const html = await response.text()
  const errors = [...html.matchAll(/id="field-([\w.]+)-error">.*?<span>(.*?)<\/span>/gs)]
  const problems = [...html.matchAll(/<div class="note error" role="alert">.*?<span>(.*?)<\/span>/gs)]
  const notice = /notice=([^;]+)/.exec(response.headers.get('set-cookie') ?? '')?.[1]
  return {
    status: response.status,
    location: response.headers.get('location'),
    toast: notice && (JSON.parse(decodeURIComponent(notice)).text as string),
    errors: Object.fromEntries(errors.map(([, key, text]) => [key, plainText(text!)])) as Record<string, string>,
    problems: problems.map(([, text]) => plainText(text!)),
    html,
  }
}

/** Sends one changed field of the section that has it. */
export async function changeSetting(
  person: Person,
  key: OptionKey,
  value: string | undefined,
  more: Record<string, string> = {},
) {
  const { section, section_name } = catalog[key]
  const { forms } = await openSettings(person, section.tab)
  return sendSection(person, forms[section_name]!, { [key]: value, ...more })
}
