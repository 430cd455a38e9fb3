/** The language of an API request. */
import { languageOf } from '../../locales/index.ts'
import type { Language } from '../../locales/languages.ts'
import { languageFor } from '../../web/request.ts'
import type { ApiRoute } from '../endpoint.ts'

/** English unless Accept-Language prefers Chinese; cookies of the console do not count. */
export const apiLanguage = ({ headers }: Request): Language =>
  languageOf(undefined, headers.get('accept-language'), 'en')

/** Pages of the console have chosen a language. */
export const languageAt = ({ by_session }: Pick<ApiRoute, 'by_session'>) => (by_session ? languageFor : apiLanguage)
