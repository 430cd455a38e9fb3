/** Checks of the fields that the gateway reads of a request; the upstream checks all others. */
import type { MessageKey } from '../../locales/index.ts'
import type { MessageParams } from '../../locales/translator.ts'
import type { Json } from '../../pure/json.ts'

/** Why a request is refused: a message for the client, and the field. */
export interface Flaw {
  code: MessageKey
  params?: MessageParams
  param: string | null
}

/** No model has more output tokens, and sums of more are inexact. */
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

export const firstOf = (...flaws: (Flaw | undefined)[]): Flaw | undefined => flaws.find(flaw => flaw !== undefined)

/** @param implied the model of a request that names none */
export function modelFlaw({ model }: Json, implied?: string): Flaw | undefined {
  if (isAbsent(model) || model === '') return implied ? undefined : { code: 'relay.model_required', param: 'model' }
  if (typeof model !== 'string' || model.length > MODEL_NAME_LIMIT) return wrong('model')
}

/** Accepts a whole number within limits, or none. */
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

/** Accepts a list of objects that is not empty. */
export function listFlaw(body: Json, param: string): Flaw | undefined {
  const value = body[param]
  if (isAbsent(value) || (Array.isArray(value) && !value.length)) return required(param)
  if (!Array.isArray(value) || !value.every(isObject)) return wrong(param)
}

export const modelIn = ({ model }: Json, implied = ''): string => (model as string | null | undefined) || implied

export const countIn = (body: Json, param: string): number | undefined =>
  (body[param] as number | null | undefined) ?? undefined
