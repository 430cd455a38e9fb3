/** What the secret key of an installation seals, in all tables. */
export { leaveSecretMark, secretMark } from './mark.ts'
export { reseal, sealedColumns, sealedSamples } from './sealed-columns.ts'
