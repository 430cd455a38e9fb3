/** JSON mode without schemas: a system message describes it. https://api-docs.deepseek.com/guides/json_mode (read 2026-11) */
import { isObject } from '../../formats/json/checks.ts'
import type { Json } from '../../pure/json.ts'
import { fieldOf } from './upstream-query.ts'

export function withSchemaAsText(body: Json): Json {
  const { response_format, messages } = body
  if (!isObject(response_format) || response_format.type !== 'json_schema' || !Array.isArray(messages)) return body
  const schema = JSON.stringify(fieldOf(response_format, 'json_schema.schema') ?? {})
  const content = `Answer in JSON that conforms to this JSON schema:\n${schema}`
  return { ...body, response_format: { type: 'json_object' }, messages: [{ role: 'system', content }, ...messages] }
}
