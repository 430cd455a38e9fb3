/** What a request chooses beside its model. */
import type { TariffField } from '../../providers/index.ts'

export interface ChosenField {
  kind: 'field' | 'tool' | 'beta'
  /** As the channel setting `allowed_fields` names it: `service_tier`, `tools.web_search`, `context-1m`. */
  name: string
  /** Where it stands in the request. */
  param: string
  value?: unknown
  /** The models that a list names; undefined where it names anything else. */
  models?: readonly string[]
  /** Rule of a tool, in the client's own format. */
  rule?: TariffField
}
