/** Forms of price administration, sent without scripts. */
import type { Person } from './person.ts'

export const SETTINGS = '/admin/settings?tab=operation'
export const PRICES = '/admin/settings/prices'

/** Text of a page; what is written without a gap stays so. */
export const textOf = (html: string) =>
  html
    .replaceAll(/<!--.*?-->|<\/?(b|span|data)\b[^>]*>/g, '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')

export const unescaped = (html: string) =>
  html.replaceAll('&quot;', '"').replaceAll('&amp;', '&').replaceAll('&#x27;', "'")

/** Values of a page's fields, as a browser sends them. */
export async function priceFields(admin: Person, path: string): Promise<Record<string, string>> {
  const html = await (await admin.page(path)).text()
  const areas = [...html.matchAll(/<textarea[^>]*name="(\w+)"[^>]*>([^<]*)</g)]
  const hidden = [...html.matchAll(/<input type="hidden" name="(read_\w+)" value="([^"]*)"/g)]
  return Object.fromEntries([...areas, ...hidden].map(([, name, value]) => [name!, unescaped(value!)]))
}

/** Cells of an option that is edited as rows, with those of the empty row. */
export async function priceCells(admin: Person, path: string, name: string): Promise<string[]> {
  const html = await (await admin.page(path)).text()
  const inputs = [...html.matchAll(/<input[^>]*>/g)].map(([tag]) => tag)
  const valueIn = (tag: string) => unescaped(/value="([^"]*)"/.exec(tag)?.[1] ?? '')
  return inputs.filter(tag => tag.includes(`name="${name}"`)).map(valueIn)
}

/** Status, the error at each invalid field, and what the toast after a redirect says. */
export async function sendPrices(admin: Person, path: string, fields: Record<string, string | string[]>) {
  const response = await admin.form(`${PRICES}/${path}`, fields)
  const html = await response.text()
  const errors = [...html.matchAll(/id="field-(\w+)-error">.*?<span>(.*?)<\/span>/gs)]
  const toast = /notice=([^;]+)/.exec(response.headers.get('set-cookie') ?? '')?.[1]
  return {
    status: response.status,
    errors: Object.fromEntries(errors.map(([, field, text]) => [field, unescaped(text!)])),
    toast: toast && (JSON.parse(decodeURIComponent(toast)).text as string),
    html,
  }
}
