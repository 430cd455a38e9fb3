/** Queries beside calls: the models that an upstream lists, the balance of an account. */
import type { UpstreamQuery } from './provider.ts'
import type { UpstreamConfig } from './upstream-config.ts'

/** A query of one request. @param read returns undefined for a body that it cannot read */
export const upstreamGet = <T>(
  url: (config: UpstreamConfig) => string,
  read: (body: unknown) => T | undefined,
): UpstreamQuery<T> =>
  function* (config) {
    return read(yield url(config))
  }

const PAGES_MAX = 20

/**
 * A list in pages. @param nextOf the URL of the next page
 * @returns undefined when the first page cannot be read; a later one ends the list
 */
export function* pagesFrom(
  first: string,
  read: (body: unknown) => string[] | undefined,
  nextOf: (body: unknown) => string | undefined,
): Generator<string, string[] | undefined, unknown> {
  const found: string[] = []
  let url: string | undefined = first
  for (let pages = 0; url && pages < PAGES_MAX; pages++) {
    const body: unknown = yield url
    const names = read(body)
    if (!names) return pages ? found : undefined
    found.push(...names)
    url = nextOf(body)
  }
  return found
}

/** Reads the texts under one name in every item of a list. @param list path of the list; empty when it is the body */
export const namesIn =
  (list: string, name: string) =>
  (body: unknown): string[] | undefined => {
    const items = list ? fieldOf(body, list) : body
    if (!Array.isArray(items)) return undefined
    return items.map(item => fieldOf(item, name)).filter(found => typeof found === 'string')
  }

/** Reads a list of models in OpenAI's form. */
export const idsIn = namesIn('data', 'id')

/** @param path names with dots between. @returns undefined when the path does not exist */
export const fieldOf = (body: unknown, path: string): unknown =>
  path.split('.').reduce((value, name) => (value as Record<string, unknown> | null | undefined)?.[name], body)

/** A sum of money, as a number or as text. @returns undefined when the field is neither */
export function amountIn(body: unknown, path: string): number | undefined {
  const value = fieldOf(body, path)
  const amount = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof amount === 'number' && Number.isFinite(amount) ? amount : undefined
}
