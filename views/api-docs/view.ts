/** Addresses of the API documentation, and what it shows. */
import { API_DOCS_PATH } from '../../src/contracts/api-docs.ts'

export interface ApiDocsView {
  keyword?: string
  /** Noun whose operations are shown. */
  noun?: string
  /** Id of the open operation. */
  open?: string
  /** Id of the client whose setup is shown. */
  client?: string
}

export function apiDocsAt(view: ApiDocsView = {}): string {
  const query = new URLSearchParams(Object.entries(view).filter(([, value]) => value)).toString()
  return API_DOCS_PATH + (query && `?${query}`)
}

/** Where the reader's client points, and with which key. */
export interface ApiSetting {
  /** Without a path. */
  base: string
  key: string
  /** Chat model of the examples. */
  model: string
  /** Chat models that the key may use, the example's first. */
  models: string[]
}

export interface OwnKey {
  id: number
  name: string
}

/** Stands in examples until the reader puts in a key. */
export const NO_KEY = 'sk-YOUR-KEY'
