/** A visitor's preferences, stored in cookies of their own browser. The language is that of the user's notices too. */
import { Elysia } from 'elysia'
import { parse } from '../contracts/parse.ts'
import { Preferences, preferenceCookie } from '../contracts/preference.ts'
import { keepLanguage } from '../domain/users/index.ts'
import type { Language } from '../locales/languages.ts'
import { log, reason } from '../process/log.ts'
import { forms } from '../web/forms.ts'
import { checkOrigin, localPath } from '../web/origin.ts'
import { bySession } from './identify.ts'

export const preferenceRoutes = new Elysia().use(forms).post('/preferences', async ({ request, body }) => {
  checkOrigin(request)
  const { returnTo, ...fields } = body as Record<string, string>
  const headers = new Headers({ location: localPath(returnTo, '/'), 'cache-control': 'no-store' })
  const preferences = parse(Preferences, fields)
  for (const [name, value] of Object.entries(preferences)) {
    if (value !== undefined) headers.append('set-cookie', preferenceCookie(name, value))
  }
  if (preferences.language) await keepForNotices(request, preferences.language)
  return new Response(null, { status: 303, headers })
})

/** Also while the database does not answer, a visitor can choose a language. */
async function keepForNotices(request: Request, language: Language) {
  try {
    const identity = await bySession(request)
    if (identity) await keepLanguage(identity.user, language)
  } catch (error) {
    log.warn('language not kept for notices', { reason: reason(error) })
  }
}
