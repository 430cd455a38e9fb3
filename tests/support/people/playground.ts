/** Calls of the playground's page, over a real socket. */
import { expect } from 'bun:test'
import { listen } from '../app/app.ts'
import { chatBody } from './client.ts'
import type { Person } from './person.ts'

export const PLAYGROUND = '/pg/chat/completions'

export type CallHeaders = Record<string, string>

/** As the playground's page calls, over a socket. */
export const play = (person: Pick<Person, 'id' | 'cookie'>, fields: object = {}, headers: CallHeaders = {}) =>
  fetch(listen() + PLAYGROUND, {
    method: 'POST',
    headers: {
      cookie: person.cookie,
      'tollgate-user': String(person.id),
      'content-type': 'application/json',
      'accept-language': 'en',
      'sec-fetch-site': 'same-origin',
      ...headers,
    },
    body: JSON.stringify(chatBody({ ...fields })),
  })

/** An error in OpenAI's shape, signed with the request's id, and closed to other origins. */
export async function playError(response: Response) {
  const { error } = (await response.json()) as any
  expect(response.headers.has('access-control-allow-origin')).toBe(false)
  expect(error.message).toEndWith(` (request id: ${response.headers.get('x-request-id')})`)
  return { status: response.status, code: error.code, param: error.param, type: error.type, message: error.message }
}

export const keyOf = async (ann: Person) =>
  (await ann.post('/api/token/', { name: 'key', unlimited_quota: true })).data.key
