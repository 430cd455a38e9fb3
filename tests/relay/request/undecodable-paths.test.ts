/** Paths of the API whose parameters are no UTF-8: they name nothing. */
import { expect, test } from 'bun:test'
import { isOfRelay, many, routes } from '../../support/app/routes.ts'
import { client } from '../../support/people/client.ts'
import { setUp } from '../../support/people/person.ts'

const named = many(routes.filter(route => isOfRelay(route) && route.method !== 'OPTIONS' && /[:*]/.test(route.path)))
const [root, ann] = [await setUp(), await client()]
interface Sent {
  method: string
  headers: Record<string, string>
  body?: string
}

const callers = {
  key: (address: string, init: Sent) =>
    fetch(ann.url + address, { ...init, headers: { authorization: `Bearer sk-${ann.key}`, ...init.headers } }),
  session: (address: string, init: Sent) => root.fetch(address, init),
}

test.each(Object.keys(callers) as (keyof typeof callers)[])('none fails with an internal error by %s', async by => {
  for (const { method: verb, path } of named) {
    const method = verb === 'ALL' ? 'PATCH' : verb
    const address = path.replace('*', '%ff:generateContent').replaceAll(/:\w+/g, '%ff')
    const init = { method, headers: { 'content-type': 'application/json' }, ...(method !== 'GET' && { body: '{}' }) }
    const { status } = await callers[by](address, init)
    expect([method, address, status === 500]).toEqual([method, address, false])
  }
})
