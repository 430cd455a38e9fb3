/** The effort that a chat request of any format asks for, for the usage log. */
import { type Effort, effortIn, efforts } from '../models/effort.ts'
import type { Json } from '../pure/json.ts'
import { objectOf } from './json/lenient-json.ts'

/** An effort in the model's name comes before one in the body. @returns undefined when the request names none */
export function requestedEffort(body: Json, model: string): Effort | undefined {
  const { reasoning_effort, reasoning, output_config, generationConfig } = body
  const { thinkingLevel } = objectOf(objectOf(generationConfig).thinkingConfig)
  const field = reasoning_effort ?? objectOf(reasoning).effort ?? objectOf(output_config).effort ?? thinkingLevel
  const word = effortIn(model).effort ?? (typeof field === 'string' ? field.toLowerCase() : undefined)
  return efforts.find(effort => effort === word)
}
