/**
 * Reads what the gateway must know of an image request.
 * https://platform.openai.com/docs/api-reference/images (read 2026-11)
 */
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
import { storedPlaces } from '../stored-places.ts'
import { isBilledByTokens, multiplierOf, sizeFlaw, tokensOfImage } from './sizes.ts'

const IMAGES_MAX = 128
const IMPLIED_MODEL = 'dall-e-2'

/** In JSON, an image is an address or a file. https://platform.openai.com/docs/api-reference/images/createEdit (read 2026-11) */
export const imagePlaces = [
  { kind: 'file', at: 'images.file_id' },
  { kind: 'file', at: 'image.file_id' },
  { kind: 'file', at: 'mask.file_id' },
] as const
const storedIn = storedPlaces(imagePlaces, { same: { extra_body: '' } })

/** Required fields besides the model. */
export type RequiredFields = readonly ('prompt' | 'image')[]

export const readFacts =
  (fields: RequiredFields) =>
  (body: Json): RequestFacts | Flaw => {
    const { stored, id_flaw } = storedIn(body)
    const flaw = firstOf(
      modelFlaw(body, IMPLIED_MODEL),
      id_flaw,
      ...fields.map(field => missingFlaw(body, field)),
      ...['prompt', 'size', 'quality'].map(param => textFlaw(body, param)),
      flagFlaw(body, 'stream'),
      countFlaw(body, 'n', 1, IMAGES_MAX),
    )
    if (flaw) return flaw
    const model = modelOf(body)
    const count = imagesIn(body)
    return (
      sizeFlaw(model, body) ?? {
        model,
        stream: body.stream === true,
        max_output: isBilledByTokens(model) ? tokensOfImage(body) : 0,
        choices: count,
        wants_usage: true,
        calls: count,
        multiplier: multiplierOf(model, body),
        stored,
      }
    )
  }

function missingFlaw(body: Json, field: RequiredFields[number]): Flaw | undefined {
  const given = field === 'image' ? (body.image ?? body['image[]'] ?? body.images) : body[field]
  if (isAbsent(given) || given === '') return required(field)
}

export const modelOf = (body: Json): string => modelIn(body, IMPLIED_MODEL)

export const imagesIn = (body: Json): number => countIn(body, 'n') ?? 1
