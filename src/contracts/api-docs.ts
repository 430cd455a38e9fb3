/** The API documentation: served routes, and operations as its page shows them. */
import type { z } from 'zod'
import type { MessageKey } from '../locales/message-key.ts'

export const API_DOCS_PATH = '/docs/api'
/** In examples, until the page puts in a model that the reader can call. */
export const EXAMPLE_MODEL = 'gpt-4o-mini'
export const API_DOCUMENT_PATH = '/openapi.json'

/** `key` is an API key; the others are rights of the console. */
export type ApiAccess = 'anyone' | 'signedIn' | 'admin' | 'root' | 'key'

/** A route as its application has registered it. */
export interface ServedRoute {
  method: string
  /** `:name` is one segment, `*` the name of a model. */
  path: string
  access: ApiAccess
  /** The session must be confirmed. */
  confirmed: boolean
  /** Belongs to the API of models: no envelope, errors in the format of the endpoint. */
  of_relay: boolean
  /** Else it answers 501. */
  is_available: boolean
  key_in_query: boolean
  query?: z.ZodType
  params?: z.ZodType
}

export interface ApiField {
  name: string
  place: 'path' | 'query' | 'body'
  /** As `integer`, `string or null`, `Token[]`. */
  type: string
  is_required: boolean
  /** Limits, default and meaning; empty for none. */
  about: string
}

export interface ApiOperation {
  id: string
  noun: string
  method: string
  path: string
  summary: string
  description: string
  access: ApiAccess
  confirmed: boolean
  idempotent: boolean
  is_available: boolean
  /** Changes something, or sends something. */
  has_effect: boolean
  /** Belongs to the API of models, which takes an API key. */
  of_relay: boolean
  fields: ApiField[]
  body_type: 'json' | 'form' | 'none'
  /** JSON text; empty without a body. */
  example: string
  /** Type of the response's data. */
  response: string
}

type TagOf<Key> = Key extends `docs.noun_${infer Tag}` ? Tag : never
/** A tag of the API document that has a title on the page. */
export type ApiTag = TagOf<MessageKey>

export interface ApiNoun {
  noun: ApiTag
  title: string
  operations: ApiOperation[]
}
