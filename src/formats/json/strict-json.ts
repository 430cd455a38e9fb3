/** A caller's JSON, read strictly: whatever is not as it must be is named by its path. */

import type { Json } from '../../pure/json.ts'
import { type Flaw, isObject, MODEL_NAME_LIMIT, TOKENS_LIMIT } from './checks.ts'

class Flawed extends Error {
  constructor(readonly flaw: Flaw) {
    super(flaw.code)
  }
}

/** Reads a body; the first thing wrong with it is returned. */
export function reading<T>(body: Json, read: (field: Field) => T): T | Flaw {
  try {
    return read(new Field(body, ''))
  } catch (error) {
    if (error instanceof Flawed) return error.flaw
    throw error
  }
}

export class Field {
  constructor(
    readonly value: unknown,
    readonly path: string,
  ) {}

  at(key: string): Field {
    return new Field(isObject(this.value) ? this.value[key] : undefined, this.path ? `${this.path}.${key}` : key)
  }

  /** The first of these that is there, for formats that spell a field in two ways. */
  either(...keys: [string, ...string[]]): Field {
    return this.at(keys.find(key => this.at(key).optional) ?? keys[0])
  }

  /** The same place, as if it were written so. */
  withValue(value: unknown): Field {
    return new Field(value, this.path)
  }

  get optional(): Field | undefined {
    return this.value === undefined || this.value === null ? undefined : this
  }

  text(): string {
    return typeof this.value === 'string' ? this.value : this.wrong('format.not_text')
  }

  number(): number {
    return typeof this.value === 'number' ? this.value : this.wrong('format.not_number')
  }

  /** What is counted is priced: it stays within what sums can hold. */
  whole(min = 0, max = TOKENS_LIMIT): number {
    const value = Number.isInteger(this.value) ? (this.value as number) : this.wrong('format.not_whole')
    return value >= min && value <= max ? value : this.wrong('relay.field_outside', { min, max })
  }

  /** The name of a model. */
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
    return this.value.map((item, index) => new Field(item, `${this.path}[${index}]`))
  }

  /** A list, or one thing in place of a list of one. */
  oneOrMore(): Field[] {
    return Array.isArray(this.value) ? this.list() : [this]
  }

  oneOf<T extends string>(words: readonly T[]): T {
    const word = words.find(word => word === this.value)
    return word ?? this.wrong('format.not_one_of', { values: words.join(', ') })
  }

  /** What else the object holds. */
  without(known: readonly string[]): Json {
    return Object.fromEntries(Object.entries(this.object()).filter(([key]) => !known.includes(key)))
  }

  wrong(code: Flaw['code'], facts: Flaw['params'] = {}): never {
    const missing = this.value === undefined && !this.path.endsWith(']')
    throw new Flawed({
      code: missing ? 'format.missing' : code,
      params: missing ? { field: this.path } : { field: this.path, ...facts },
      param: this.path,
    })
  }

  /** A part of a kind that nobody here knows is not guessed at. */
  unknown(kind: unknown): never {
    throw new Flawed({
      code: 'format.unknown_kind',
      params: { field: this.path, kind: String(kind).slice(0, 40) },
      param: this.path,
    })
  }
}
