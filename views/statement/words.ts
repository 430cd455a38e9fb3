/** Words of a statement: kinds, references, months. */
import type { StatementKind, StatementRow } from '../../src/contracts/statement.ts'
import type { Translate } from '../../src/locales/index.ts'
import { type Language, languages } from '../../src/locales/languages.ts'
import { monthStart } from '../../src/pure/month.ts'

export const kindName = (kind: StatementKind, t: Translate): string =>
  kind === 'usage' ? t('statement.usage') : t(`user.kind_${kind}`)

/** The request of a refunded call; absent for other entries. A further refund of it has a number behind its id. */
export const requestOf = ({ kind, reference }: StatementRow): string | undefined =>
  kind === 'refund' ? /^req_[\w-]+/.exec(reference)?.[0] : undefined

/** `#12` for the number of a code, order or transfer, a day or request as it is, nothing for words of the program. */
export function referenceText(row: StatementRow): string {
  const { kind, reference } = row
  const request = requestOf(row)
  if (request) return request
  const number = /\d+$/.exec(reference)?.[0]
  if (kind === 'check_in') return reference
  return number ? `#${number}` : ''
}

/** November 2026, 2026年11月. */
export const monthName = (month: string, language: Language): string =>
  new Intl.DateTimeFormat(languages[language].tag, { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
    monthStart(month) * 1000,
  )
