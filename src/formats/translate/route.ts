/** Between which two formats one call goes. */
import type { Dialect, ResponseLabel } from '../dialect.ts'

export interface Route {
  caller: Dialect
  upstream: Dialect
  /** With the caller's request in it. */
  label: ResponseLabel
  /** The upstream's name for the model, once it is asked. */
  model?: string
}
