/** Small edits of JSON bodies, from which quirks are made. A body that needs no change is returned as the same object. */
import { isObject } from '../../formats/json/checks.ts'
import { entryOf, objectsOf } from '../../formats/json/lenient-json.ts'
import type { Json } from '../../pure/json.ts'

export function without(body: Json, ...names: string[]): Json {
  if (!names.some(name => name in body)) return body
  return Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name)))
}

/** A new object of these fields. */
export const only = (body: Json, ...names: string[]): Json =>
  Object.fromEntries(Object.entries(body).filter(([name]) => names.includes(name)))

/** A field that exists under both names keeps the value of the new one. */
export function renamed(body: Json, from: string, to: string): Json {
  if (!(from in body)) return body
  const { [from]: value, ...rest } = body
  return { [to]: value, ...rest }
}

/** For providers that know only the older of OpenAI's two output limits. */
export const withMaxTokens = (body: Json): Json => renamed(body, 'max_completion_tokens', 'max_tokens')

/** For providers without a choice of one tool: only the named tool stays. @param tool_choice what replaces its name */
export function withNamedToolOnly(body: Json, tool_choice: string): Json {
  const { tool_choice: choice, tools } = body
  if (!isObject(choice) || !isObject(choice.function)) return body
  const { name } = choice.function
  const named = objectsOf(tools).filter(tool => isObject(tool.function) && tool.function.name === name)
  return named.length ? { ...body, tools: named, tool_choice } : body
}

/** For providers that turn thinking off by an object, and know no effort `none`. */
export const withThinkingOff = (body: Json): Json =>
  body.reasoning_effort === 'none' ? { thinking: { type: 'disabled' }, ...without(body, 'reasoning_effort') } : body

/** For providers without the role `developer`. */
export const withSystemRole = (body: Json): Json =>
  each(body, 'messages', message => (message.role === 'developer' ? { ...message, role: 'system' } : message))

/** Edits every object of a list. */
export function each(body: Json, list: string, edit: (item: Json, index: number) => Json): Json {
  const items = body[list]
  if (!Array.isArray(items)) return body
  const edited = items.map((item, index) => (isObject(item) ? edit(item, index) : item))
  return edited.every((item, index) => item === items[index]) ? body : { ...body, [list]: edited }
}

/** Edits every choice of a response or an event. */
export const eachChoice = (body: Json, edit: (choice: Json) => Json): Json => each(body, 'choices', edit)

/** Edits the message of every choice in a response, its delta in an event. */
export const eachMessage = (body: Json, edit: (message: Json) => Json): Json =>
  eachChoice(body, choice => editField(editField(choice, 'message', edit), 'delta', edit))

function editField(choice: Json, name: string, edit: (message: Json) => Json): Json {
  const message = choice[name]
  const edited = isObject(message) ? edit(message) : message
  return edited === message ? choice : { ...choice, [name]: edited }
}

/** @param names the provider's finish reasons, and OpenAI's for each */
export const withFinishReasons = (body: Json, names: Record<string, string>): Json =>
  eachChoice(body, choice => {
    const finish_reason = entryOf(names, choice.finish_reason)
    return finish_reason ? { ...choice, finish_reason } : choice
  })

/** The body of an error in OpenAI's form. */
export const errorBody = (message: unknown, type: string, code: unknown): Json => ({
  error: { message: String(message ?? ''), type, param: null, code: String(code ?? '') },
})

/** @param types OpenAI's error type by the provider's code or type */
export function withErrorType(body: Json, types: Record<string, string>): Json {
  if (!isObject(body.error)) return body
  const type = entryOf(types, body.error.code) ?? entryOf(types, body.error.type)
  return type ? { ...body, error: { ...body.error, type } } : body
}
