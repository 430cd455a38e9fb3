/** Questions that a provider answers beside calls: which models it has, what is left to spend. */
import type { UpstreamConfig, UpstreamQuery } from './provider.ts'

/** One address, one answer. */
export const upstreamGet = <T>(
  url: (line: UpstreamConfig) => string,
  read: (answer: unknown) => T | undefined,
): UpstreamQuery<T> =>
  function* (line) {
    return read(yield url(line))
  }

const PAGES_MAX = 20

/** A list that comes in pages, each of which may tell where the next one is. */
export function* pagesFrom(
  first: string,
  read: (answer: unknown) => string[] | undefined,
  nextOf: (answer: unknown) => string | undefined,
): Generator<string, string[] | undefined, unknown> {
  const found: string[] = []
  let url: string | undefined = first
  for (let pages = 0; url && pages < PAGES_MAX; pages++) {
    const answer: unknown = yield url
    const names = read(answer)
    if (!names) return pages ? found : undefined
    found.push(...names)
    url = nextOf(answer)
  }
  return found
}

/** The texts that stand under a name in every item of a list. */
export const namesIn =
  (list: string, name: string) =>
  (answer: unknown): string[] | undefined => {
    const items = list ? fieldOf(answer, list) : answer
    if (!Array.isArray(items)) return undefined
    return items.map(item => fieldOf(item, name)).filter(found => typeof found === 'string')
  }

/** A list as OpenAI has it. */
export const idsIn = namesIn('data', 'id')

/** What stands at the end of a path of names; undefined where there is no such way. */
export const fieldOf = (answer: unknown, path: string): unknown =>
  path.split('.').reduce((at, name) => (at as Record<string, unknown> | null | undefined)?.[name], answer)

/** A sum of money, which many write as text. */
export function amountIn(answer: unknown, path: string): number | undefined {
  const said = fieldOf(answer, path)
  const amount = typeof said === 'string' && said.trim() !== '' ? Number(said) : said
  return typeof amount === 'number' && Number.isFinite(amount) ? amount : undefined
}
