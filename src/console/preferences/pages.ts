/** POST /preferences: what a browser remembers, for visitors too, set-up or not. */
import { Elysia } from 'elysia'
import { preferenceCookie, Preferences } from '../../contracts/preference.ts'
import { forms } from '../../kit/forms.ts'
import { localPath, sameOrigin } from '../../kit/origin.ts'
import { Refusal } from '../../kit/refusal.ts'

export const preferencePages = new Elysia().use(forms).post('/preferences', ({ request, body }) => {
  if (!sameOrigin(request)) throw new Refusal('error.csrf', {}, 403)
  const { returnTo, ...sent } = body as Record<string, string>
  const preferences = Preferences.parse(sent)
  const headers = new Headers({ location: localPath(returnTo, '/'), 'cache-control': 'no-store' })
  for (const [name, value] of Object.entries(preferences)) headers.append('set-cookie', preferenceCookie(name, value))
  return new Response(null, { status: 303, headers })
})
