/** Cells and facts of a page that name a user, key, channel, model or order, and are no link. */
import type { Page } from 'playwright'
import { type MessageKey, translator } from '../../../src/locales/index.ts'
import type { Language } from '../../../src/locales/languages.ts'

/** Headings of columns and facts whose values are things with a page of their own. */
const headings: readonly MessageKey[] = [
  ...(['log.user', 'log.token', 'log.model', 'log.channel', 'log.caller', 'log.route', 'log.asked_for'] as const),
  ...(['user.user', 'payment.number', 'audit.target', 'audit.actor', 'redemption.name', 'token.name'] as const),
  ...(['dashboard.name_user', 'dashboard.name_token', 'dashboard.name_model', 'dashboard.name_channel'] as const),
  ...(['channel.channel', 'redemption.user', 'pricing.model'] as const),
]

/** What stands in their place and is no thing: sums, the system, users who have left. */
function othersIn(language: Language): string[] {
  const t = translator(language)
  const [beginning] = t('dashboard.others', { count: '#' }).split('#')
  return [beginning!, t('dashboard.total'), t('revision.system')]
}

/** @returns values that are no link, with their headings */
export function unlinkedThings(page: Page, language: Language): Promise<string[]> {
  const t = translator(language)
  return page.evaluate(
    ({ names, others }) => {
      const textOf = (element?: Element | null) => element?.textContent?.trim() ?? ''
      const isPlain = (value: Element) =>
        /[\p{L}\d]/u.test(textOf(value)) &&
        !others.some(other => textOf(value).startsWith(other)) &&
        !value.querySelector('a[href], button[name], input, [aria-current], [data-gone]') &&
        !value.closest('[aria-current=true]')
      const values = [...document.querySelectorAll('main table')].flatMap(table => {
        const heads = [...table.querySelectorAll('thead tr:last-child > *')].map(textOf)
        const rows = [...table.querySelectorAll('tbody > tr')].map(row => [...row.children])
        return rows
          .filter(cells => cells.length === heads.length)
          .flatMap(cells => cells.map((value, at) => ({ heading: heads[at]!, value })))
      })
      const facts = [...document.querySelectorAll('main dt')].flatMap(fact => {
        const value = fact.nextElementSibling
        return value ? [{ heading: textOf(fact), value }] : []
      })
      const plain = [...values, ...facts].filter(({ heading, value }) => names.includes(heading) && isPlain(value))
      return [...new Set(plain.map(({ heading, value }) => `no link: ${heading} ${textOf(value).slice(0, 40)}`))].slice(
        0,
        5,
      )
    },
    { names: headings.map(key => t(key)), others: othersIn(language) },
  )
}
