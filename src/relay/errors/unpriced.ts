/** The refusal of a field that chooses a model, a route or a tariff without a price. */
import { Refusal } from '../../contracts/refusal.ts'

/**
 * @param field where it stands in the request
 * @param setting what `allowed_fields` of a channel names it
 */
export const unpriced = (field: string, setting: string) =>
  new Refusal('relay.field_unpriced', { field, setting }, 400, field)
