/** Leaves out what only other gateways know, where a channel reaches the maker of the models itself. */
import type { RoutedChannel } from '../../domain/routing/index.ts'
import { isObject } from '../../formats/json/checks.ts'
import type { Json } from '../../pure/json.ts'
import type { Call } from '../call.ts'
import { tariffNamesIn } from '../request/chosen-fields.ts'
import { isForeign } from '../request/field-rules.ts'

/** @param body in the client's own format: a translated one holds no such fields */
export function withoutForeign(body: Json, { chosen_fields, endpoint }: Call, channel: RoutedChannel): Json {
  const format = endpoint.format.name
  const foreignIn = (object: Json) =>
    tariffNamesIn(object, endpoint).filter(name => isForeign({ kind: 'field', name }, { channel }, format))
  const left = without(body, foreignIn(body))
  const tools = chosen_fields?.filter(field => field.kind === 'tool' && isForeign(field, { channel }, format))
  const extra = isObject(left.extra_body) ? foreignIn(left.extra_body) : []
  const kept = extra.length ? withExtra(left, without(left.extra_body as Json, extra)) : left
  return tools?.length ? withoutTools(kept, new Set(tools.map(({ param }) => param))) : kept
}

const withExtra = ({ extra_body: _, ...body }: Json, extra_body: Json): Json =>
  Object.keys(extra_body).length ? { ...body, extra_body } : body

function withoutTools(body: Json, params: Set<string>): Json {
  const tools = [body.tools].flat().filter((_, at) => !params.has(`tools[${at}]`))
  if (tools.length) return { ...body, tools }
  return without(body, ['tools', 'tool_choice', 'parallel_tool_calls'])
}

const without = (object: Json, names: string[]): Json =>
  names.length ? Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name))) : object
