/** A visitor's preferences, stored in cookies of their own browser: they belong to no account. */
import { Elysia } from 'elysia'
import { parse } from '../contracts/parse.ts'
import { Preferences, preferenceCookie } from '../contracts/preference.ts'
import { forms } from '../web/forms.ts'
import { checkOrigin, localPath } from '../web/origin.ts'

export const preferenceRoutes = new Elysia().use(forms).post('/preferences', ({ request, body }) => {
  checkOrigin(request)
  const { returnTo, ...fields } = body as Record<string, string>
  const headers = new Headers({ location: localPath(returnTo, '/'), 'cache-control': 'no-store' })
  for (const [name, value] of Object.entries(parse(Preferences, fields))) {
    if (value !== undefined) headers.append('set-cookie', preferenceCookie(name, value))
  }
  return new Response(null, { status: 303, headers })
})
