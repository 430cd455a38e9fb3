/** Refuses a request whose Host header is missing or names no host: it stands in addresses that this site makes and signs. */
import { Elysia } from 'elysia'
import { Refusal } from '../contracts/refusal.ts'
import { refuse } from './envelope.ts'

/** Underscores are in no domain, but in names of containers and of nginx upstreams, which nginx sends by default. */
const plainHost = /^[a-z0-9_.:[\]-]+$/i

/** Whether the Host header, if there is one, has only characters of names and addresses. Two headers arrive joined by a comma. */
export const namesHost = ({ headers }: Request): boolean => plainHost.test(headers.get('host') ?? 'none')

export const invalidHost = () => new Refusal('error.invalid_host', {}, 400)

export const knownHost = new Elysia({ name: 'known-host' }).onRequest(({ request }) => {
  // Without a Host header the URL is a path.
  if (!namesHost(request) || !URL.canParse(request.url)) return refuse(invalidHost(), request)
})
