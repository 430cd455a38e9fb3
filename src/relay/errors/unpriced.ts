/** The refusal of a field that chooses a model, a route or a tariff without a price. */
import { Refusal } from '../../contracts/refusal.ts'

/** @param field where it stands in the request */
export const unpriced = (field: string) => new Refusal('relay.field_unpriced', { field }, 400, field)
