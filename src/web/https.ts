/** HSTS: a browser that used https uses nothing else for a year. */
import { Elysia } from 'elysia'
import { isSecure } from './request.ts'

const HSTS_A_YEAR = 'max-age=31536000'

export const onlyHttps = new Elysia({ name: 'only-https' }).onRequest(({ request, server, set }) => {
  if (request.headers.has('x-forwarded-proto') && isSecure(request, server))
    set.headers['strict-transport-security'] = HSTS_A_YEAR
})
