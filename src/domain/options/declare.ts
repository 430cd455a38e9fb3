/** Builders of option declarations: each gives the codec between text and value, the default and the form field. */
import { z } from 'zod'
import { isWebAddress } from '../../contracts/address.ts'
import type { SettingsTab, Widget } from '../../contracts/option.ts'
import type { RowColumn, RowShape } from '../../contracts/option-rows.ts'
import type { PublicStatus } from '../../contracts/status.ts'
import type { MessageKey } from '../../locales/index.ts'
import { plain } from '../../pure/decimal.ts'

export interface OptionDeclaration<T> {
  /** Codec between the stored text and the value. */
  schema: z.ZodType<T, string>
  initial: T
  widget: Widget
  /** Values of the widget `choice`. */
  choices?: readonly string[]
  /** Sealed at rest, never shown; an empty text keeps the stored one. */
  secret?: true
  /** Only root may change it. */
  root?: true
  /** Its name in the public status. */
  publicAs?: keyof PublicStatus
  /** JSON that is edited as rows. */
  rows?: RowShape
}

type Extra = Pick<OptionDeclaration<unknown>, 'root' | 'publicAs' | 'choices'>

// biome-ignore lint/suspicious/noExplicitAny: options of every type stand side by side, each keeping its own
export type Options = Record<string, OptionDeclaration<any>>
export type ValueOf<O> = O extends OptionDeclaration<infer T> ? T : never
export type Values<O extends Options> = { readonly [Key in keyof O]: ValueOf<O[Key]> }

export interface Section<O extends Options> {
  tab: SettingsTab
  /** Only root may change any of it. */
  root?: true
  options: O
  /** @returns the message for values that contradict each other. Options are saved one by one: incomplete must pass. */
  check?: (value: Values<O>) => MessageKey | undefined
}

export const section = <O extends Options>(declaration: Section<O>) => declaration

/** Message key of an option: `option.gemini_version_settings` for `gemini.version_settings`. */
export type Label<Key extends string> = Key extends `${infer Group}.${infer Name}` ? `${Group}_${Name}` : Key
export const labelOf = <Key extends string>(key: Key) => `option.${key.replace('.', '_') as Label<Key>}` as const
export const helpOf = <Key extends string>(key: Key) => `${labelOf(key)}_help` as const

// More than a hundred options share these schemas: each one costs memory from the start on.
const flagText = z.codec(z.enum(['true', 'false'], 'option.not_flag'), z.boolean(), {
  decode: text => text === 'true',
  encode: value => (value ? 'true' : 'false'),
})
const lineText = z.string().trim()
const anyText = z.string()
const numberText = z
  .string()
  .trim()
  .regex(/^-?\d+(\.\d+)?(e[+-]?\d+)?$/i, 'option.not_number')

const declare = <T>(widget: Widget, schema: z.ZodType<T, string>, initial: T, extra?: Extra): OptionDeclaration<T> => ({
  schema,
  initial,
  widget,
  ...extra,
})

export const flag = (initial: boolean, extra?: Extra) => declare('flag', flagText, initial, extra)

interface Range {
  min?: number
  max?: number
  /** Replaces the general message. */
  message?: MessageKey
}

const within = ({ min = 0, max = Number.MAX_SAFE_INTEGER, message = 'option.out_of_range' }: Range) =>
  z.number('option.not_number').min(min, message).max(max, message)

const numberIn = (schema: z.ZodNumber) => z.codec(numberText, schema, { decode: Number, encode: plain })
const wholeIn = (range: Range) => numberIn(within(range).int('option.not_whole'))
const decimalIn = (range: Range) => numberIn(within(range))

const anyWhole = wholeIn({})
const anyDecimal = decimalIn({})

/** A whole number, by default ≥ 0. */
export const whole = (initial: number, range?: Range, extra?: Extra) =>
  declare('number', range ? wholeIn(range) : anyWhole, initial, extra)

/** A decimal number, by default ≥ 0. */
export const decimal = (initial: number, range?: Range, extra?: Extra) =>
  declare('number', range ? decimalIn(range) : anyDecimal, initial, extra)

/** A number ≥ 0, or empty. */
export const blankable = () => declare<number | undefined>('number', blankNumber, undefined)

const blankNumber = z.codec(z.union([z.literal(''), numberText], 'option.not_number'), within({}).optional(), {
  decode: text => (text === '' ? undefined : Number(text)),
  encode: value => (value === undefined ? '' : plain(value)),
})

export const line = (initial = '', extra?: Extra) => declare('line', lineText, initial, extra)

/** A line that must not be empty. */
export const name = (initial: string, extra?: Extra) =>
  declare('line', z.string().trim().min(1, 'option.required'), initial, extra)

/** Multi-line text in the language of the widget. */
export const text = (widget: 'markdown' | 'html' | 'css' | 'js', extra?: Extra) => declare(widget, anyText, '', extra)

const Address = z
  .string()
  .trim()
  .refine(address => address === '' || isWebAddress(address), 'option.not_url')

/** Empty, or an http(s) URL. */
export const url = (extra?: Extra) => declare('url', Address, '', extra)

/** A URL to which paths are appended: stored without a trailing slash. */
export const baseUrl = (extra?: Extra): OptionDeclaration<string> => ({
  ...url(extra),
  schema: Address.overwrite(address => address.replace(/\/+$/, '')),
})

export const secret = (): OptionDeclaration<string> => ({ ...line(), widget: 'secret', secret: true, root: true })

export const choice = <const T extends string>(initial: T, others: readonly T[], extra?: Extra) =>
  declare('choice', z.enum([initial, ...others], 'option.not_choice') as z.ZodType<T, string>, initial, {
    ...extra,
    choices: [initial, ...others],
  })

type Texts = z.ZodType<string[], string[]>

const separated = (widget: Widget, split: RegExp, join: string, initial: string[], schema: Texts) =>
  declare(
    widget,
    z.codec(anyText, schema, { decode: text => partsOf(text, split), encode: texts => texts.join(join) }),
    initial,
  )

const partsOf = (text: string, separator: RegExp) =>
  text
    .split(separator)
    .map(part => part.trim())
    .filter(Boolean)

/** Stored comma-joined. */
export const list = (initial: string[], schema: Texts = z.array(z.string())) =>
  separated('list', /,/, ',', initial, schema)

/** Stored one per line. */
export const lines = (initial: string[], schema: Texts = z.array(z.string())) =>
  separated('lines', /\r?\n/, '\n', initial, schema)

/** JSON of a given shape; an empty text is the empty object or array, unless `blank` is false. */
export const json = <T>(
  initial: T,
  schema: z.ZodType<T>,
  notJson: MessageKey = 'option.not_json',
  { blank = true }: { blank?: boolean } = {},
) =>
  declare(
    'json',
    z.codec(z.string(), schema, {
      decode: (source, context) => {
        try {
          return JSON.parse(source.trim() || (!blank ? '' : Array.isArray(initial) ? '[]' : '{}')) as T
        } catch {
          context.issues.push({ code: 'custom', message: notJson, input: source })
          return z.NEVER
        }
      },
      encode: value => JSON.stringify(value),
    }),
    initial,
  )

/** The same JSON, edited as rows. */
export const asRows = <T>(
  kind: RowShape['kind'],
  columns: readonly RowColumn[],
  declaration: OptionDeclaration<T>,
): OptionDeclaration<T> => ({ ...declaration, rows: { kind, columns } })

/** JSON object of numbers ≥ 0, none larger than whole numbers are exact. */
export const numberMap = (columns: readonly RowColumn[], initial: Record<string, number>, notJson?: MessageKey) =>
  asRows('numbers', columns, json(initial, numbers(), notJson))

export const numbers = (negative: MessageKey = 'option.not_number_map', shape: MessageKey = 'option.not_number_map') =>
  z.record(z.string(), z.number(shape).min(0, negative).max(Number.MAX_SAFE_INTEGER, 'option.out_of_range'), shape)

export const textMap = (columns: readonly RowColumn[], initial: Record<string, string>) =>
  asRows('texts', columns, json(initial, z.record(z.string(), z.string('option.not_text_map'), 'option.not_text_map')))

/** JSON array of strings. */
export const textArray = (column: RowColumn, initial: string[]) =>
  asRows('array', [column], json(initial, z.array(z.string('option.not_text_array'), 'option.not_text_array')))
