/** The reasoning effort that a request of any chat format asks for. */
import { type Effort, effortIn, efforts } from '../models/effort.ts'
import type { Json } from '../pure/json.ts'
import { objectOf, textOf } from './json/lenient-json.ts'

/** @param model whose name may end in an effort, which counts before that of the body */
export function requestedEffort(body: Json, model: string): Effort | undefined {
  const { reasoning_effort, reasoning, output_config, generationConfig } = body
  const { thinkingLevel } = objectOf(objectOf(generationConfig).thinkingConfig)
  const named = reasoning_effort ?? objectOf(reasoning).effort ?? objectOf(output_config).effort ?? thinkingLevel
  const effort = effortIn(model).effort ?? textOf(named).toLowerCase()
  return efforts.find(known => known === effort)
}
