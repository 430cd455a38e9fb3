/** Small steps that fitting functions are made of. What needs no change comes back as the very same object. */
import { isObject } from '../formats/json/checks.ts'
import { entryOf } from '../formats/json/lenient-json.ts'
import type { Json } from '../pure/json.ts'

export const objectsIn = (list: unknown): Json[] => (Array.isArray(list) ? list.filter(isObject) : [])

export function without(body: Json, ...names: string[]): Json {
  if (!names.some(name => name in body)) return body
  return Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name)))
}

/** Of all that is said, what has one of these names. */
export const only = (body: Json, ...names: string[]): Json =>
  Object.fromEntries(Object.entries(body).filter(([name]) => names.includes(name)))

/** What stands under one name moves to another, unless that one is taken. */
export function renamed(body: Json, from: string, to: string): Json {
  if (!(from in body)) return body
  const { [from]: value, ...rest } = body
  return { [to]: value, ...rest }
}

/** For those who know the older of OpenAI's two limits. */
export const withOneLimit = (body: Json): Json => renamed(body, 'max_completion_tokens', 'max_tokens')

/** A tool that must be called is the only one left, and then this is said of the choice. */
export function withOneTool(body: Json, tool_choice: string): Json {
  const { tool_choice: asked, tools } = body
  if (!isObject(asked) || !isObject(asked.function)) return body
  const { name } = asked.function
  const chosen = objectsIn(tools).filter(tool => isObject(tool.function) && tool.function.name === name)
  return chosen.length ? { ...body, tools: chosen, tool_choice } : body
}

/** OpenAI alone tells its developers from the system. */
export const withoutDevelopers = (body: Json): Json =>
  each(body, 'messages', message => (message.role === 'developer' ? { ...message, role: 'system' } : message))

/** Every object of a list through one function. */
export function each(body: Json, list: string, fit: (item: Json, at: number) => Json): Json {
  const items = body[list]
  if (!Array.isArray(items)) return body
  const fitted = items.map((item, at) => (isObject(item) ? fit(item, at) : item))
  return fitted.every((item, at) => item === items[at]) ? body : { ...body, [list]: fitted }
}

/** Every choice of an answer, or of an event, through one function. */
export const eachChoice = (body: Json, fit: (choice: Json) => Json): Json => each(body, 'choices', fit)

/** What a choice says, whole or piece by piece, through one function. */
export const eachMessage = (body: Json, fit: (message: Json) => Json): Json =>
  eachChoice(body, choice => fitField(fitField(choice, 'message', fit), 'delta', fit))

function fitField(choice: Json, name: string, fit: (message: Json) => Json): Json {
  const said = choice[name]
  const fitted = isObject(said) ? fit(said) : said
  return fitted === said ? choice : { ...choice, [name]: fitted }
}

/** Reasons to end that OpenAI calls otherwise. */
export const endings = (body: Json, words: Record<string, string>): Json =>
  eachChoice(body, choice => {
    const word = entryOf(words, choice.finish_reason)
    return word ? { ...choice, finish_reason: word } : choice
  })

/** An error that says by its type what kind it is. */
export const failure = (message: unknown, type: string, code: unknown): Json => ({
  error: { message: String(message ?? ''), type, param: null, code: String(code ?? '') },
})

/** An error whose code, or own type, means one of these types. */
export function typed(body: Json, types: Record<string, string>): Json {
  if (!isObject(body.error)) return body
  const type = entryOf(types, body.error.code) ?? entryOf(types, body.error.type)
  return type ? { ...body, error: { ...body.error, type } } : body
}
