/** What a route of the API document says beyond the route itself. */
import type { z } from 'zod'
import type { ApiTag } from '../../../contracts/api-docs.ts'
import type { MessageKey } from '../../../locales/index.ts'

export interface OperationNotes {
  summary: MessageKey
  description?: string
  /** Where the handler reads the query itself; else the schema of the route counts. */
  query?: z.ZodType
  /** `form` is multipart/form-data. */
  body?: z.ZodType
  form?: true
  /** Fields that the server fills in where they are absent. */
  defaults?: object
  /** Fields that only a rule of the contract requires. */
  required?: readonly string[]
  example?: object
  /** `data` of the envelope. */
  data?: z.ZodType
  /** Fields beside the envelope; `success` where a failure has them too. */
  beside?: z.ZodRawShape
  /** The whole response of a route without the envelope; text for a string. */
  response?: z.ZodType
  /** A GET that changes something or sends something. */
  has_effect?: true
  /** A repeated `Idempotency-Key` returns the first result. */
  idempotent?: true
}

/** The operations of a noun by method and path, as `GET /api/token/`. */
export interface OperationGroup {
  /** Tag of the document. */
  noun: ApiTag
  title: string
  operations: Record<string, OperationNotes>
}
