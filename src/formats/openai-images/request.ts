/** What the gateway reads of an image request. https://platform.openai.com/docs/api-reference/images/create (read 2026-11) */
import type { Json } from '../../pure/json.ts'
import type { RequestFacts } from '../format.ts'
import {
  countFlaw,
  countIn,
  type Flaw,
  firstOf,
  flagFlaw,
  isAbsent,
  modelFlaw,
  modelIn,
  required,
  textFlaw,
} from '../json/checks.ts'
import { isSized, multiplierOf, sizeFlaw, tokensOfPicture } from './sizes.ts'

const PICTURES_LIMIT = 128
const IMPLIED_MODEL = 'dall-e-2'

/** Fields that an operation requires besides the model: a prompt, an image, or both. */
export type Needs = readonly ('prompt' | 'image')[]

export const readFacts =
  (needs: Needs) =>
  (body: Json): RequestFacts | Flaw => {
    const flaw = firstOf(
      modelFlaw(body, IMPLIED_MODEL),
      ...needs.map(need => needFlaw(body, need)),
      ...['prompt', 'size', 'quality'].map(param => textFlaw(body, param)),
      flagFlaw(body, 'stream'),
      countFlaw(body, 'n', 1, PICTURES_LIMIT),
    )
    if (flaw) return flaw
    const model = modelOf(body)
    const pictures = picturesIn(body)
    return (
      sizeFlaw(model, body) ?? {
        model,
        stream: body.stream === true,
        max_output: isSized(model) ? tokensOfPicture(body) : 0,
        choices: pictures,
        wants_usage: true,
        calls: pictures,
        multiplier: multiplierOf(model, body),
      }
    )
  }

function needFlaw(body: Json, need: Needs[number]): Flaw | undefined {
  const given = need === 'image' ? (body.image ?? body['image[]'] ?? body.images) : body[need]
  if (isAbsent(given) || given === '') return required(need)
}

export const modelOf = (body: Json): string => modelIn(body, IMPLIED_MODEL)

export const picturesIn = (body: Json): number => countIn(body, 'n') ?? 1
