/** Builders of field declarations: each gives what the API accepts and returns, the default, and the text in a form. */
import { z } from 'zod'
import { type Currency, fromQuota, toQuota } from '../billing/quota.ts'
import { exact, moment as momentIn, type Zone } from '../pure/time.ts'

/** What the text of a field depends on: the currency and the time zone of the reader. */
interface Reader {
  status: Currency
  zone: Zone
}

/** Decides how a value is written where it is not in a form, such as in the audit log. */
export type FieldKind = 'line' | 'flag' | 'amount' | 'whole' | 'moment'

export interface FieldDeclaration<Schema extends z.ZodType, ReturnedSchemas extends z.ZodType> {
  kind: FieldKind
  /** What the API accepts. */
  schema: Schema
  /** What the API returns. */
  returned: ReturnedSchemas
  initial: z.output<ReturnedSchemas>
  fill(value: z.output<ReturnedSchemas>, reader: Reader): string
  /** @returns NaN for a text that is no value: the schema refuses it at the field */
  read(text: string, reader: Reader): unknown
  /** Its text is rounded: the form has the text that it was filled with as `<name>_was`, and an unchanged one is not saved. */
  rounded?: true
}

const string = z.string()
const int = z.int()

export const line = <Schema extends z.ZodType>(schema: Schema, initial = '') => ({
  ...{ kind: 'line' as const, schema, returned: string, initial },
  fill: (value: string) => value,
  read: (typed: string) => typed,
})

const ticked = z.boolean()

export const flag = (initial = false) => ({
  ...{ kind: 'flag' as const, schema: ticked, returned: ticked, initial },
  fill: (value: boolean) => (value ? 'true' : ''),
  read: (typed: string) => typed !== '',
})

/** Quota, which a form has in the currency of the site. */
export const amount = <Schema extends z.ZodType>(schema: Schema, initial: number) => ({
  ...{ kind: 'amount' as const, schema, returned: int, initial, rounded: true as const },
  fill: (value: number, { status }: Reader) => fromQuota(value, status),
  read: (typed: string, { status }: Reader) => toQuota(numberOf(typed), status),
})

/** A whole number. @param blank stands in a form as an empty text */
export const whole = <Schema extends z.ZodType>(schema: Schema, initial: number, blank?: number) => ({
  ...{ kind: 'whole' as const, schema, returned: int, initial },
  fill: (value: number) => (value === blank ? '' : String(value)),
  read: (typed: string) => (isBlank(typed) && blank !== undefined ? blank : numberOf(typed)),
})

/** Unix seconds. @param blank stands for no limit, in a form as an empty text */
export const moment = <Schema extends z.ZodType>(schema: Schema, blank: number) => ({
  ...{ kind: 'moment' as const, schema, returned: int, initial: blank },
  fill: (value: number, { zone }: Reader) => (value === blank ? '' : exact(value, zone)),
  read: (typed: string, { zone }: Reader) => (isBlank(typed) ? blank : (momentIn(typed, zone) ?? Number.NaN)),
})

const isBlank = (typed: string) => typed.trim() === ''

/** The number in a field. @returns NaN for an empty text, which the contract refuses at the field */
export const numberOf = (typed: string) => (isBlank(typed) ? Number.NaN : Number(typed.replaceAll(',', '')))

// biome-ignore lint/suspicious/noExplicitAny: fields of every type stand side by side, each keeping its own
type Fields = Record<string, FieldDeclaration<any, any>>
type Values<F extends Fields> = { [Name in keyof F]: z.output<F[Name]['returned']> }
type Texts<F extends Fields> = Record<keyof F & string, string>
type Schemas<F extends Fields> = { [Name in keyof F]: F[Name]['schema'] }
type ReturnedSchemas<F extends Fields> = { [Name in keyof F]: F[Name]['returned'] }

const typed = z.string().default('')

/** The fields of a noun that people set, in the order of the API. */
export function fieldsOf<F extends Fields>(fields: F) {
  const entries = Object.entries(fields)
  const each = <Part extends 'schema' | 'returned' | 'initial'>(part: Part) =>
    Object.fromEntries(entries.map(([name, field]) => [name, field[part]]))
  const names = entries.flatMap(([name, { rounded }]) => (rounded ? [name, `${name}_was`] : [name]))
  const form = z.object(Object.fromEntries([...names, 'form_id'].map(name => [name, typed])))
  return {
    fields,
    schema: z.object(each('schema') as Schemas<F>),
    returned: each('returned') as ReturnedSchemas<F>,
    defaults: each('initial') as Values<F>,
    /** The texts of a form as it was sent; `form_id` is unique for each rendered form of something new. */
    sent: (body: unknown) => form.parse(body) as Texts<F> & { form_id: string },

    /** The texts of a form that shows these values. */
    fill(values: Values<F>, reader: Reader) {
      const texts: Record<string, string> = {}
      for (const [name, { fill, rounded }] of entries) {
        texts[name] = fill(values[name], reader)
        if (rounded) texts[`${name}_was`] = texts[name]
      }
      return texts as Texts<F>
    },

    /** What the schema reads of a form, without rounded texts that are unchanged. */
    read(form: Texts<F>, reader: Reader) {
      const texts: Record<string, string> = form
      const changed = entries.filter(([name, { rounded }]) => !rounded || texts[name] !== texts[`${name}_was`])
      const values = Object.fromEntries(changed.map(([name, { read }]) => [name, read(texts[name]!, reader)]))
      return values as Partial<Record<keyof F, unknown>>
    },

    /** These fields of a row. */
    of: (row: Values<F>) => Object.fromEntries(entries.map(([name]) => [name, row[name]])) as Values<F>,
  }
}
