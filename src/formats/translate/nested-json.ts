/** JSON in the texts of a request, which translation parses: it has the limits of the request itself. */
import { excessCodes, type JsonLimits, JsonScan, REQUEST_LIMITS } from '../../pure/json-scan.ts'
import type { ChatRequest, Part } from '../canonical/chat.ts'
import type { Flaw } from '../json/checks.ts'

/** The result of a tool stays text where it is too deep. */
const RESULT_LIMITS: JsonLimits = {
  ...REQUEST_LIMITS,
  depth: Number.POSITIVE_INFINITY,
  pieces: Number.POSITIVE_INFINITY,
  long_numbers: Number.POSITIVE_INFINITY,
  structure: Number.POSITIVE_INFINITY,
}
/** Characters of texts inside that cost little to parse. */
const LONG_TEXT = 256
const isJson = /^\s*[{[]/

/** @returns a flaw when the arguments and results of tools have more in them than can be parsed at once */
export function nestedFlaw({ messages }: ChatRequest): Flaw | undefined {
  const call = new JsonScan(REQUEST_LIMITS, LONG_TEXT)
  const result = new JsonScan(RESULT_LIMITS)
  for (const { parts } of messages) for (const part of parts) scanPart(part, call, result)
  const excess = call.excess ?? result.excess
  return excess && { code: excessCodes[excess], params: { limit: REQUEST_LIMITS[excess] }, param: 'messages' }
}

function scanPart(part: Part, call: JsonScan, result: JsonScan) {
  if (part.kind === 'tool_call') scanText(part.arguments, call)
  else if (part.kind === 'tool_result')
    for (const inner of part.parts) if (inner.kind === 'text' && isJson.test(inner.text)) scanText(inner.text, result)
}

function scanText(text: string, scan: JsonScan) {
  scan.push(text)
  scan.end()
}
