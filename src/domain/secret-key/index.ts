/** What the secret key of an installation seals, in all tables. */
export { reseal, sealedColumns, sealedSamples } from './sealed-columns.ts'
