/**
 * Bodies and events of a prediction as far as they are written and read here; each maker names the other inputs for itself.
 * https://replicate.com/docs/reference/http#predictions.create (read 2026-11)
 */

export type PredictionBody = {
  version?: string
  stream?: boolean
  input: { prompt: string; [name: string]: unknown }
}

export type PredictionState = {
  id: string
  model: string
  status: string
  output?: string | string[]
  error?: string
  metrics?: PredictionMetrics
  created_at: string
}

export type PredictionMetrics = { input_token_count?: number; output_token_count?: number }

/** `data` is a piece of the text, or JSON as text. */
export type PredictionEvent = { event: string; data: string; metrics?: PredictionMetrics }
