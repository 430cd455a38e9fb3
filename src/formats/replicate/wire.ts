/**
 * The body of a prediction as it is written here; each maker names the other inputs for itself.
 * https://replicate.com/docs/reference/http#predictions.create (read 2026-11)
 */

export type PredictionBody = {
  version?: string
  stream?: boolean
  input: { prompt: string; [name: string]: unknown }
}
