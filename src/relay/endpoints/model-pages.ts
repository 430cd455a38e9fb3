/** Pages of a model list, as the clients' formats ask for them. Without a size a page holds all models. */
import { Refusal } from '../../contracts/refusal.ts'

export interface ModelPage<Model> {
  models: Model[]
  /** In the direction in which the client reads. */
  has_more: boolean
}

const SIZE_MAX = 1000
const INT32_MAX = 2_147_483_647

interface ModelEntry {
  id: string
}

/** https://platform.claude.com/docs/en/api/models/list (read 2026-11) */
export function anthropicPage<Model extends ModelEntry>(models: Model[], query: URLSearchParams): ModelPage<Model> {
  const size = sizeIn(query, { field: 'limit', min: 1, max: SIZE_MAX })
  const before = placeOf(models, query, 'before_id')
  if (before === undefined) return pageAfter(models, placeOf(models, query, 'after_id'), size)
  const start = Math.max(0, before - size)
  return { models: models.slice(start, before), has_more: start > 0 }
}

/** A larger size is the largest; the token is the name of the last model. https://ai.google.dev/api/models#method:-models.list (read 2026-11) */
export function geminiPage<Model extends ModelEntry>(models: Model[], query: URLSearchParams): ModelPage<Model> {
  const size = sizeIn(query, { field: 'pageSize', min: 0, max: INT32_MAX }) || Number.POSITIVE_INFINITY
  return pageAfter(models, placeOf(models, query, 'pageToken'), Math.min(size, SIZE_MAX))
}

function pageAfter<Model>(models: Model[], place = -1, size: number): ModelPage<Model> {
  const page = models.slice(place + 1, place + 1 + size)
  return { models: page, has_more: place + 1 + page.length < models.length }
}

interface SizeField {
  field: string
  min: number
  max: number
}

/** @throws Refusal 400 */
function sizeIn(query: URLSearchParams, { field, min, max }: SizeField): number {
  const text = query.get(field)
  if (!text) return Number.POSITIVE_INFINITY
  const size = Number(text)
  if (!Number.isInteger(size) || size < min || size > max)
    throw new Refusal('relay.field_outside', { field, min, max }, 400, field)
  return size
}

/** @throws Refusal 400 for a name that the list does not contain */
function placeOf(models: ModelEntry[], query: URLSearchParams, field: string): number | undefined {
  const id = query.get(field)
  if (!id) return undefined
  const place = models.findIndex(model => model.id === id)
  if (place < 0) throw new Refusal('relay.field_wrong', { field }, 400, field)
  return place
}
