/** Which gateway a database belongs to, by its tables and columns. */
import type { MovedProduct } from '../../contracts/moving-in.ts'
import type { ForeignDatabase } from '../../db/foreign/foreign-database.ts'

type Columns = ForeignDatabase['columns']

const has = (columns: Columns, name: string): boolean => {
  const [table = '', column] = name.split('.')
  return column ? (columns.get(table)?.has(column) ?? false) : columns.has(table)
}

/** What all of them have from the beginning. */
const BASE = [
  ...['users.id', 'users.username', 'users.password', 'users.quota', 'users.role', 'users.status'],
  ...['tokens.id', 'tokens.user_id', 'tokens.key', 'tokens.remain_quota'],
  ...['channels.id', 'channels.type', 'channels.key', 'channels.models', 'options.key', 'options.value'],
]

interface Marks {
  product: MovedProduct
  /** One of these is enough, */
  any: string[]
  /** and all of these. */
  all: string[]
}

const LIMITS = ['tokens.model_limits_enabled']

/** Forks of them have other tables of prices and groups, and lack what `all` names. */
const KNOWN: Marks[] = [
  { product: 'veloera', any: ['channels.model_prefix', 'redemptions.is_gift', 'user_messages'], all: LIMITS },
  { product: 'new-api', any: ['two_fas', 'channels.channel_info', 'channels.tag'], all: LIMITS },
  { product: 'one-api', any: ['channels.config', 'tokens.subnet'], all: ['tokens.models'] },
]
/** @returns the product, or the names of tables and columns that were looked for and are missing */
export function productOf(columns: Columns): MovedProduct | { missing: string[] } {
  const missing = BASE.filter(name => !has(columns, name))
  if (missing.length) return { missing }
  const fits = ({ any, all }: Marks) => any.some(name => has(columns, name)) && all.every(name => has(columns, name))
  const found = KNOWN.find(fits)
  return found?.product ?? { missing: [...new Set(KNOWN.flatMap(({ any, all }) => [...any, ...all]))] }
}
