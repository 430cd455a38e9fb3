/** Strict reading of a client's JSON: an invalid field is reported by its path. */

import type { Json } from '../../pure/json.ts'
import { type Flaw, isAbsent, isObject, MODEL_NAME_LIMIT, TOKENS_LIMIT } from './checks.ts'

class FlawError extends Error {
  constructor(readonly flaw: Flaw) {
    super(flaw.code)
  }
}

/** @returns what `read` makes of the body, or its first invalid field */
export function reading<T>(body: Json, read: (field: Field) => T): T | Flaw {
  try {
    return read(new Field(body))
  } catch (error) {
    if (error instanceof FlawError) return error.flaw
    throw error
  }
}

export class Field {
  constructor(
    readonly value: unknown,
    private readonly parent?: Field,
    /** In the parent: a name, or an index of a list. */
    private readonly key: string | number = '',
  ) {}

  get path(): string {
    const { parent, key } = this
    if (!parent) return ''
    if (typeof key === 'number') return `${parent.path}[${key}]`
    return parent.parent ? `${parent.path}.${key}` : key
  }

  at(key: string): Field {
    return new Field(this.#valueAt(key), this, key)
  }

  /** @returns undefined when the field is absent or null */
  find(key: string): Field | undefined {
    const value = this.#valueAt(key)
    return isAbsent(value) ? undefined : new Field(value, this, key)
  }

  /** @returns the first of these that is present, for fields with several names */
  either(...keys: string[]): Field | undefined {
    const key = keys.find(key => !isAbsent(this.#valueAt(key)))
    return key === undefined ? undefined : this.at(key)
  }

  #valueAt(key: string): unknown {
    return isObject(this.value) ? this.value[key] : undefined
  }

  /** @returns a field of the same path with another value */
  withValue(value: unknown): Field {
    return new Field(value, this.parent, this.key)
  }

  get optional(): Field | undefined {
    return isAbsent(this.value) ? undefined : this
  }

  text(): string {
    return typeof this.value === 'string' ? this.value : this.wrong('format.not_text')
  }

  number(): number {
    return typeof this.value === 'number' ? this.value : this.wrong('format.not_number')
  }

  /** Counts are priced: they stay within what sums can hold. */
  whole(min = 0, max = TOKENS_LIMIT): number {
    const value = Number.isInteger(this.value) ? (this.value as number) : this.wrong('format.not_whole')
    return value >= min && value <= max ? value : this.wrong('relay.field_outside', { min, max })
  }

  model(): string {
    const name = this.text()
    return name && name.length <= MODEL_NAME_LIMIT ? name : this.wrong('relay.field_wrong')
  }

  flag(): boolean {
    return typeof this.value === 'boolean' ? this.value : this.wrong('format.not_flag')
  }

  object(): Json {
    return isObject(this.value) ? this.value : this.wrong('format.not_object')
  }

  list(): Field[] {
    if (!Array.isArray(this.value)) return this.wrong('format.not_list')
    return this.value.map((item, index) => new Field(item, this, index))
  }

  /** Reads a list, or one item in place of a list of one. */
  oneOrMore(): Field[] {
    return Array.isArray(this.value) ? this.list() : [this]
  }

  oneOf<T extends string>(words: readonly T[]): T {
    const word = words.find(word => word === this.value)
    return word ?? this.wrong('format.not_one_of', { values: words.join(', ') })
  }

  /** @returns the other fields of the object */
  without(known: readonly string[]): Json {
    const object = this.object()
    const others: Json = {}
    for (const key in object) if (!known.includes(key)) others[key] = object[key]
    return others
  }

  wrong(code: Flaw['code'], params: Flaw['params'] = {}): never {
    const missing = this.value === undefined && !this.path.endsWith(']')
    throw new FlawError({
      code: missing ? 'format.missing' : code,
      params: missing ? { field: this.path } : { field: this.path, ...params },
      param: this.path,
    })
  }

  /** Refuses a part of an unknown kind. */
  unknown(kind: unknown): never {
    throw new FlawError({
      code: 'format.unknown_kind',
      params: { field: this.path, kind: String(kind).slice(0, 40) },
      param: this.path,
    })
  }
}
