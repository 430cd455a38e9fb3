/** Refuses a request without a usable Host header, whose URL cannot be parsed. */
import { Elysia } from 'elysia'
import { Refusal } from '../contracts/refusal.ts'
import { refuse } from './envelope.ts'

export const knownHost = new Elysia({ name: 'known-host' }).onRequest(({ request }) => {
  if (!URL.canParse(request.url)) return refuse(new Refusal('error.invalid_host', {}, 400), request)
})
