/** Options, set by root as the API sets them. */
import { OptionChange } from '../../../src/contracts/option.ts'
import { parse } from '../../../src/contracts/parse.ts'
import * as options from '../../../src/domain/options/index.ts'
import { actorOf } from '../people/actor.ts'
import { setUp } from '../people/person.ts'

/** @throws Refusal for a value that the option does not take */
export async function setOption(name: string, text: unknown) {
  const { key, value } = parse(OptionChange, { key: name, value: text })
  await options.setOption(key, value, await actorOf(await setUp()))
}
