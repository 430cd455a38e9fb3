/** A browser that came by https comes by nothing else for a year: no first request that others could read or redirect. */
import { Elysia } from 'elysia'
import { isSecure } from './request.ts'

const A_YEAR = 'max-age=31536000'

export const onlyHttps = new Elysia({ name: 'only-https' }).onRequest(({ request, server, set }) => {
  if (request.headers.has('x-forwarded-proto') && isSecure(request, server))
    set.headers['strict-transport-security'] = A_YEAR
})
