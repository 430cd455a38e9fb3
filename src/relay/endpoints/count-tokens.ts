/** Estimates the tokens of a prompt without asking an upstream; free of charge. */

import { Refusal } from '../../contracts/refusal.ts'
import { type Flaw, isFlaw } from '../../formats/json/checks.ts'
import type { Json } from '../../pure/json.ts'
import { BodyShare } from '../../web/body-budget.ts'
import type { ApiCaller } from '../caller.ts'
import { readJsonOf } from '../request/read-request.ts'

/** @throws Refusal 400 that names what is wrong */
export async function countTokens(
  { user }: ApiCaller,
  request: Request,
  count: (body: Json) => Json | Flaw,
): Promise<Json> {
  using share = new BodyShare(`user ${user.id}`)
  const counted = count(await readJsonOf(request, share))
  if (isFlaw(counted)) throw new Refusal(counted.code, counted.params, 400, counted.param ?? undefined)
  return counted
}
