/** What the gateway reads of a request is checked here; everything else is the upstream's to judge. */
import type { MessageKey } from '../../locales/index.ts'
import type { MessageParams } from '../../locales/translator.ts'
import type { Json } from '../../pure/json.ts'

/** Why a request cannot be taken: a sentence for its sender, and the field that it is about. */
export interface Flaw {
  code: MessageKey
  params?: MessageParams
  param: string | null
}

/** Beyond this no model answers, and sums begin to lose their exactness. */
export const TOKENS_LIMIT = 1_073_741_823
export const CHOICES_LIMIT = 128
export const MODEL_NAME_LIMIT = 256

export const isAbsent = (value: unknown): value is undefined | null => value === undefined || value === null

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const isFlaw = (value: object): value is Flaw => 'code' in value && 'param' in value

export const wrong = (param: string): Flaw => ({ code: 'relay.field_wrong', params: { field: param }, param })

export const required = (param: string): Flaw => ({ code: 'relay.field_required', params: { field: param }, param })

const outside = (param: string, min: number, max: number): Flaw => ({
  code: 'relay.field_outside',
  params: { field: param, min, max },
  param,
})

/** The first thing that is wrong. */
export const firstOf = (...flaws: (Flaw | undefined)[]): Flaw | undefined => flaws.find(flaw => flaw !== undefined)

/** @param implied the model that a request means which names none */
export function modelFlaw({ model }: Json, implied?: string): Flaw | undefined {
  if (isAbsent(model) || model === '') return implied ? undefined : { code: 'relay.model_required', param: 'model' }
  if (typeof model !== 'string' || model.length > MODEL_NAME_LIMIT) return wrong('model')
}

/** A whole number within limits, or nothing. */
export function countFlaw(body: Json, param: string, min: number, max: number): Flaw | undefined {
  const value = body[param]
  if (isAbsent(value) || (Number.isInteger(value) && (value as number) >= min && (value as number) <= max)) return
  return outside(param, min, max)
}

export function textFlaw(body: Json, param: string): Flaw | undefined {
  if (!isAbsent(body[param]) && typeof body[param] !== 'string') return wrong(param)
}

export function flagFlaw(body: Json, param: string): Flaw | undefined {
  if (!isAbsent(body[param]) && typeof body[param] !== 'boolean') return wrong(param)
}

/** A list of objects that says something. */
export function listFlaw(body: Json, param: string): Flaw | undefined {
  const value = body[param]
  if (isAbsent(value) || (Array.isArray(value) && !value.length)) return required(param)
  if (!Array.isArray(value) || !value.every(isObject)) return wrong(param)
}

export const modelIn = ({ model }: Json, implied = ''): string => (model as string | null | undefined) || implied

export const countIn = (body: Json, param: string): number | undefined =>
  (body[param] as number | null | undefined) ?? undefined
