/** Between which two formats one call goes. */
import type { Dialect, Label } from '../dialect.ts'

export interface Route {
  caller: Dialect
  upstream: Dialect
  /** With the caller's request in it. */
  label: Label
  /** The upstream's name for the model, once it is asked. */
  model?: string
}
