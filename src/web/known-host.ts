/** A request that does not say for which host it is has no address: it is answered before anyone reads one. */
import { Elysia } from 'elysia'
import { Refusal } from '../contracts/refusal.ts'
import { refuse } from './envelope.ts'

export const knownHost = new Elysia({ name: 'known-host' }).onRequest(({ request }) => {
  if (!URL.canParse(request.url)) return refuse(new Refusal('error.invalid_host', {}, 400), request)
})
