/** Who reads this: in which language, seeing money how, in which time zone. Pages and islands provide it alike. */
import { createContext, useContext } from 'react'
import type { Currency } from '../../src/billing/quota.ts'
import type { Language } from '../../src/contracts/languages.ts'
import type { Translate } from '../../src/locales/translator.ts'
import type { Zone } from '../../src/pure/time.ts'

/** What can be sent to a browser; the words are made there. */
export interface PageContextValue {
  language: Language
  currency: Currency
  zone: Zone
  /** When the page was made, in unix seconds: relative times agree on it. */
  now: number
  /** Goes into every form. */
  csrf: string
}

export interface PageContext extends PageContextValue {
  t: Translate
}

const Context = createContext<PageContext | undefined>(undefined)

export const PageContextProvider = Context.Provider

export function usePageContext(): PageContext {
  const reader = useContext(Context)
  if (!reader) throw new Error('a part was drawn outside of a ReaderProvider')
  return reader
}
