/** The language of an API request. */
import { languageOf } from '../../locales/index.ts'
import type { Language } from '../../locales/languages.ts'
import { languageFor } from '../../web/request.ts'
import type { ApiRoute } from '../endpoint.ts'

/** English unless Accept-Language prefers Chinese; cookies of the console do not count. */
export const apiLanguage = ({ headers }: Request): Language =>
  languageOf(undefined, headers.get('accept-language'), 'en')

type Credential = Pick<ApiRoute, 'by_session' | 'by_visitor'>

/** Pages of this site alone may call it. */
export const isOfThisSite = ({ by_session, by_visitor }: Credential): boolean => (by_session || by_visitor) === true

/** Pages of this site have chosen a language. */
export const languageAt = (route: Credential) => (isOfThisSite(route) ? languageFor : apiLanguage)
