/** What OpenAI's models refuse in both chat APIs. */
import { type Json, refuseUnless } from './conversation.ts'

export const isReasoning = (model: string) => /^(?:o\d|gpt-[5-9])/.test(model)

/** Reasoning models take no sampling. https://platform.openai.com/docs/guides/latest-model (read 2026-11) */
export function refuseSampling({ model, temperature, top_p, reasoning_effort, reasoning }: Json) {
  if (!isReasoning(model) || (reasoning_effort ?? reasoning?.effort) === 'none') return
  const isUsual = (value: unknown) => value === undefined || value === null || value === 1
  refuseUnless(isUsual(temperature), "Unsupported parameter: 'temperature' is not supported with this model.")
  refuseUnless(isUsual(top_p), "Unsupported parameter: 'top_p' is not supported with this model.")
}

const toolName = /^[a-zA-Z0-9_-]{1,64}$/

export function refuseToolNames(tools: Json[]) {
  for (const { name } of tools)
    refuseUnless(toolName.test(name), `Invalid 'tools.name': '${name}' does not match ${toolName}.`)
}
