/** Page context: language, currency, time zone, CSRF token. Pages and islands provide it. */
import { createContext, useContext } from 'react'
import type { Currency } from '../../src/billing/quota.ts'
import type { Language } from '../../src/locales/languages.ts'
import type { Translate } from '../../src/locales/translator.ts'
import type { Zone } from '../../src/pure/time.ts'

/** Serialisable part; the browser adds the translator. */
export interface PageContextValue {
  language: Language
  currency: Currency
  zone: Zone
  /** Unix seconds of rendering: relative times on the server and in the browser agree. */
  now: number
  /** CSRF token of the forms. */
  csrf: string
}

export interface PageContext extends PageContextValue {
  t: Translate
}

const Context = createContext<PageContext | undefined>(undefined)

export const PageContextProvider = Context.Provider

export function usePageContext(): PageContext {
  const context = useContext(Context)
  if (!context) throw new Error('usePageContext needs a PageContextProvider')
  return context
}
