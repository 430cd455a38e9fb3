/** The drawer of a channel as a browser without JavaScript reads and sends it. */
import type { Person } from './person.ts'

const PATH = '/admin/channels'

export type DrawerFields = Record<string, string | string[]>

export const decode = (html: string) =>
  html.replaceAll('&quot;', '"').replaceAll('&#x27;', "'").replaceAll('&amp;', '&')

/** Texts of the errors at fields, in the order of the page. */
export const errorsIn = (html: string) =>
  [...html.matchAll(/class="error-text"[^>]*>.*?<span>(.*?)<\/span>/g)].map(([, text]) => decode(text!))

export async function submitDrawer(person: Person, fields: DrawerFields, path = `${PATH}?new`) {
  const response = await person.form(path, fields)
  const html = response.status === 303 ? '' : await response.text()
  return { status: response.status, html, errors: errorsIn(html) }
}

/** What the drawer of a channel was filled with, but for its groups. */
export async function filledDrawer(person: Person, id: number): Promise<Record<string, string>> {
  const html = await (await person.page(`${PATH}?edit=${id}`)).text()
  const control = /<(?:input|textarea)[^>]*? name="(\w+)"[^>]*?(?:value="([^"]*)"[^>]*>|>([^<]*)<\/textarea>)/g
  const sent = [...html.matchAll(control)].filter(
    ([tag]) => !/type="(?:checkbox|radio)"/.test(tag) || /\bchecked=""/.test(tag),
  )
  const fields = Object.fromEntries(sent.map(([, name, value, text]) => [name!, decode(value ?? text ?? '')]))
  const [, type] =
    /<option value="(\d+)"[^>]*selected=""/.exec(html) ?? /<option[^>]*selected=""[^>]*value="(\d+)"/.exec(html)!
  return { ...fields, type: type! }
}
