/** Small steps that fitting functions are made of. What needs no change comes back as the very same object. */
import { isObject } from '../codecs/checks.ts'
import type { Json } from '../codecs/codec.ts'

export const objectsIn = (list: unknown): Json[] => (Array.isArray(list) ? list.filter(isObject) : [])

export function without(body: Json, ...names: string[]): Json {
  if (!names.some(name => name in body)) return body
  return Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name)))
}

/** What stands under one name moves to another, unless that one is taken. */
export function renamed(body: Json, from: string, to: string): Json {
  if (!(from in body)) return body
  const { [from]: value, ...rest } = body
  return { [to]: value, ...rest }
}

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
export function eachMessage(body: Json, fit: (message: Json) => Json): Json {
  return eachChoice(body, choice => {
    for (const name of ['message', 'delta']) {
      const said = choice[name]
      if (!isObject(said)) continue
      const fitted = fit(said)
      if (fitted !== said) choice = { ...choice, [name]: fitted }
    }
    return choice
  })
}

/** Reasons to end that OpenAI calls otherwise. */
export const endings = (words: Record<string, string>) => (body: Json) =>
  eachChoice(body, choice => {
    const word = words[String(choice.finish_reason)]
    return word ? { ...choice, finish_reason: word } : choice
  })

/** One after the other. */
export const both =
  (...fits: ((body: Json) => Json)[]) =>
  (body: Json): Json =>
    fits.reduce((fitted, fit) => fit(fitted), body)

/** An error that says by its type what kind it is. */
export const failure = (message: unknown, type: string, code: unknown): Json => ({
  error: { message: String(message ?? ''), type, param: null, code: String(code ?? '') },
})

/** An error whose code means more than its type says. */
export const typed = (types: Record<string, string>) => (body: Json) => {
  if (!isObject(body.error)) return body
  const type = types[String(body.error.code)] ?? types[String(body.error.type)]
  return type ? { ...body, error: { ...body.error, type } } : body
}
