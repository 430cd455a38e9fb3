/** Address of the public status page, and what it shows of a model. */
import { AVAILABILITY_PATH, type Health, type Outcomes } from '../../src/contracts/availability.ts'
import { addressOf } from '../../src/contracts/list-address.ts'

export interface AvailabilityView {
  keyword?: string
  /** Also the models after the first ones. */
  all?: string
}

export const availabilityAt = (view: AvailabilityView): string => addressOf(AVAILABILITY_PATH, { page: 1, ...view })

export interface ModelStatus {
  name: string
  /** Of the last 24 hours. */
  now: Health
  /** Of each day, today last. */
  days: readonly Outcomes[]
  total: Outcomes
  /** Median time to first token, in milliseconds. */
  first_token_ms?: number
}
