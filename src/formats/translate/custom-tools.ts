/**
 * Tools of OpenAI's that are called with a text instead of arguments. Nobody else has such: they are functions of one
 * argument there, and what a call says is taken out of it again.
 */
import type { FunctionTool, ToolCall } from '../canonical/chat.ts'
import { parsedObject } from '../json/lenient-json.ts'
import type { Field } from '../json/strict-json.ts'

/** @param tool as both of OpenAI's formats describe it, where that stands */
export function readCustomTool(tool: Field): FunctionTool {
  const said = [tool.at('description').optional?.text(), grammarIn(tool.at('format'))].filter(Boolean)
  return {
    kind: 'function',
    name: tool.at('name').text(),
    description: said.length ? said.join('\n\n') : undefined,
    parameters: {
      type: 'object',
      properties: { input: { type: 'string' } },
      required: ['input'],
      additionalProperties: false,
    },
    strict: false,
    freeform: true,
  }
}

/** The text may be held to a grammar: chat has it in an object of its own. */
function grammarIn(format: Field): string | undefined {
  const grammar = format.at('grammar').optional ?? format
  const definition = grammar.at('definition').optional?.text()
  return (
    definition && `The input follows this grammar (${grammar.at('syntax').optional?.text() ?? 'lark'}):\n${definition}`
  )
}

export const readCustomCall = (call: Field, id: string): ToolCall => ({
  kind: 'tool_call',
  id,
  name: call.at('name').text(),
  arguments: JSON.stringify({ input: call.at('input').text() }),
})

/** What a call says. A model may have left the argument's wrapping away. */
export function inputIn(text: string): string {
  const { input } = parsedObject(text)
  return typeof input === 'string' ? input : text
}
