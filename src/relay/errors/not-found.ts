/** The refusal of a path that does not exist. */
import { Refusal } from '../../contracts/refusal.ts'
import { pathOf } from '../../web/request.ts'

/** @throws Refusal 404 */
export async function notFound({ url, method }: Request): Promise<never> {
  throw new Refusal('error.invalid_url', { method, path: pathOf(url) }, 404)
}
