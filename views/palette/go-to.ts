/** The second key of the shortcuts that go to a page, by its path. */
import type { Visit } from '../../src/contracts/visit.ts'
import type { Translate } from '../../src/locales/translator.ts'
import { sidebarSections, topbarEntries } from '../layout/menu.ts'

const keys: Record<string, string> = {
  '/': 'h',
  '/playground': 'p',
  '/app/dashboard': 'd',
  '/app/tokens': 't',
  '/app/logs/api-usage': 'l',
  '/app/wallet': 'w',
  '/app/statement': 'b',
  '/app/me': 'e',
  '/admin/channels': 'c',
  '/admin/routes': 'f',
  '/admin/coupons': 'r',
  '/admin/orders': 'o',
  '/admin/messages': 'm',
  '/admin/users': 'u',
  '/admin/settings': 's',
  '/admin/audit': 'a',
  '/pricing': 'i',
}

/** Pages of the reader's menus that have a key. */
export const goToEntries = (visit: Visit, t: Translate) =>
  [...sidebarSections(visit, t).flatMap(({ entries }) => entries), ...topbarEntries(visit, t)]
    .filter(({ href }, index, all) => keys[href] && all.findIndex(other => other.href === href) === index)
    .map(({ href, label }) => ({ href, label, key: keys[href]! }))
