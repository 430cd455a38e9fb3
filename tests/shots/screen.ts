/** A screen that is pictured, and who sees it. */
import type { Page } from 'playwright'

export type Reader = 'visitor' | 'user' | 'root'
/** Sees an installation without an account, which is not the demo. */
export const FOUNDER = 'founder'

export interface Screen {
  /** Name of its pictures. */
  name: string
  title: string
  /** Of the demo. */
  path: string
  /** Route to which `act` leads, when it is not that of `path`. */
  page?: string
  reader: Reader | typeof FOUNDER
  /** What works on it. */
  works: string
  /** Of the response; 200 by default. */
  status?: number
  /** Brings the screen into the state that is pictured. */
  act?(page: Page): Promise<void>
}
