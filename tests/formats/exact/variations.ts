/** A body with one field gone or odd, for each of its fields, and what that changes. */
import type { Json } from '../../../src/pure/json.ts'

type Key = string | number
type Container = Record<Key, unknown>

export interface Variation {
  /** Where, and how it is varied. */
  name: string
  body: unknown
}

const isContainer = (value: unknown): value is Container => typeof value === 'object' && value !== null

/** Of each kind of value: another of the same kind, and one of another. */
const others = (value: unknown): [name: string, value: unknown][] => {
  switch (typeof value) {
    case 'string':
      return [
        ['other', `${value}x`],
        ['number', 7],
      ]
    case 'number':
      return [
        ['more', value + 1],
        ['text', 'x'],
        // At the edges of what is allowed.
        ['zero', 0],
        ['huge', 1e9],
      ]
    case 'boolean':
      return [
        ['flipped', !value],
        ['text', 'x'],
      ]
    default:
      return isContainer(value) ? [['text', 'x']] : []
  }
}

/** @param with_odd whether fields are also of another kind */
export function* variationsOf(body: unknown, with_odd: boolean): Generator<Variation> {
  for (const path of pathsIn(body, [])) {
    const at = path.reduce<unknown>((value, key) => (value as Container)[key], body)
    yield { name: `${nameOf(path)} gone`, body: changed(body, path, undefined) }
    for (const [name, value] of others(at).slice(0, with_odd ? undefined : 1))
      yield { name: `${nameOf(path)} ${name}`, body: changed(body, path, value) }
  }
}

function* pathsIn(value: unknown, path: Key[]): Generator<Key[]> {
  if (!isContainer(value)) return
  for (const key of Array.isArray(value) ? value.keys() : Object.keys(value)) {
    yield [...path, key]
    yield* pathsIn(value[key], [...path, key])
  }
}

const nameOf = (path: Key[]): string => path.map(key => (typeof key === 'number' ? `[${key}]` : `.${key}`)).join('')

function changed(body: unknown, [key, ...rest]: Key[], value: unknown): unknown {
  const copy = (Array.isArray(body) ? [...body] : { ...(body as Json) }) as Container
  if (rest.length) copy[key!] = changed(copy[key!], rest, value)
  else if (value !== undefined) copy[key!] = value
  else if (Array.isArray(copy)) copy.splice(Number(key), 1)
  else delete copy[key!]
  return copy
}

function flat(value: unknown, name = '', into = new Map<string, unknown>()): Map<string, unknown> {
  if (!isContainer(value)) return into.set(name, value)
  const keys = Array.isArray(value) ? [...value.keys()] : Object.keys(value)
  if (!keys.length) into.set(name, value)
  for (const key of keys) flat(value[key], `${name}${nameOf([key])}`, into)
  return into
}

/** Longer ones end with a digest of all of it. */
const LENGTH_MAX = 80

/** @returns what is in one and not in the other; empty when nothing is */
export function difference(before: unknown, after: unknown, length_max = LENGTH_MAX): string {
  if (!isContainer(after)) return JSON.stringify(before) === JSON.stringify(after) ? '' : `${JSON.stringify(after)}`
  const [old, now] = [flat(before), flat(after)]
  const lost = [...old.keys()].filter(name => !now.has(name)).map(name => `-${name}`)
  const gained = [...now].flatMap(([name, value]) => {
    const text = JSON.stringify(value)
    return old.has(name) && JSON.stringify(old.get(name)) === text ? [] : [`${name}=${text}`]
  })
  return shortened([...gained, ...lost].join(' '), length_max)
}

export const shortened = (text: string, length_max: number): string =>
  text.length > length_max ? `${text.slice(0, length_max)}… ${Bun.hash(text).toString(36)}` : text
