/** What the operator has set, held in memory and read without waiting. */
import { Role, type SessionUser } from '../../contracts/account.ts'
import type { OptionRow } from '../../contracts/option.ts'
import { forbidden, Refusal } from '../../contracts/refusal.ts'
import type { PublicStatus } from '../../contracts/status.ts'
import { seal, unseal } from '../../crypto/sealing.ts'
import { atomic, run } from '../../db/atomic.ts'
import { db, type Tx } from '../../db/database.ts'
import { isMessageKey } from '../../locales/index.ts'
import { now } from '../../process/clock.ts'
import { log, reason } from '../../process/log.ts'
import { VERSION } from '../../pure/version.ts'
import { catalog, isOptionKey, type OptionKey, type OptionValue, optionKeys } from './catalog.ts'
import { options } from './table.ts'

type Memory = Record<OptionKey, unknown>

const started = now()
const initial = () => Object.fromEntries(optionKeys.map(key => [key, catalog[key].initial])) as Memory

let memory = initial()
let published: PublicStatus | undefined
const listeners = new Set<() => void>()

/** The value of an option, as the type that its declaration gives it. */
export const option = <Key extends OptionKey>(key: Key) => memory[key] as OptionValue<Key>

/** Calls back after any change of any option: for what is derived from them. */
export const onOptionChange = (listener: () => void) => void listeners.add(listener)

/**
 * Reads what is stored. A value that no longer makes sense is its default, and said so in the log: a start never fails
 * on it.
 */
export async function loadOptions() {
  const loaded = initial()
  for (const { key, value } of await db.select().from(options)) {
    if (!isOptionKey(key)) continue
    try {
      loaded[key] = decode(key, catalog[key].secret ? unseal(value) : value)
    } catch (error) {
      log.warn('a stored option is not usable, its default is used', { key, reason: reason(error) })
    }
  }
  adopt(loaded)
}

/** Every option as text, defaults included; secrets never. */
export const listOptions = (): OptionRow[] =>
  optionKeys.filter(key => !catalog[key].secret).map(key => ({ key, value: encode(key, memory[key]) }))

/** Stores what an administrator typed, or refuses it and changes nothing. */
export async function setOption(key: string, text: string, caller: SessionUser) {
  if (!isOptionKey(key)) throw new Refusal('option.unknown', { key }, 400, 'key')
  if (catalog[key].root && caller.role < Role.root) throw forbidden()
  if (catalog[key].secret && text.trim() === '') return
  await store(key, text)
  log.info('option changed', { key, user_id: caller.id, username: caller.username })
}

/** For what the product itself decides, such as the mode chosen at set-up. */
export const setOptionAsSystem = (key: OptionKey, text: string) => store(key, text)

export const resetModelRatio = (caller: SessionUser) =>
  setOption('ModelRatio', encode('ModelRatio', catalog.ModelRatio.initial), caller)

/** What anyone may know of this installation. */
export function publicStatus(): PublicStatus {
  published ??= {
    version: VERSION,
    start_time: started,
    enable_online_topup: Boolean(option('PayAddress') && option('EpayId') && option('EpayKey')),
    ...Object.fromEntries(
      optionKeys.flatMap(key => (catalog[key].publicAs ? [[catalog[key].publicAs, memory[key]]] : [])),
    ),
  } as PublicStatus
  return published
}

let lastStore: Promise<unknown> = Promise.resolve()

/** One after another, so that two changes are never each checked against a state without the other. */
function store(key: OptionKey, text: string): Promise<void> {
  const mine = lastStore.then(() => storeNow(key, text))
  lastStore = mine.catch(() => undefined)
  return mine
}

async function storeNow(key: OptionKey, text: string) {
  const changed = { ...memory, [key]: decode(key, text) }
  const wrong = catalog[key].section.check?.(changed)
  if (wrong) throw new Refusal(wrong, {}, 200, key)
  await atomic(tx => keepOption(tx, key, encode(key, changed[key])))
  adopt(changed)
}

/** Writes an option as a part of something larger; `loadOptions` makes it known when that is done. */
export function* keepOption(tx: Tx, key: OptionKey, text: string) {
  const value = catalog[key].secret ? seal(text) : text
  yield* run(tx.insert(options).values({ key, value }).onConflictDoUpdate({ target: options.key, set: { value } }))
}

function adopt(changed: Memory) {
  memory = changed
  published = undefined
  for (const listener of listeners) listener()
}

/** @throws Refusal that says what is wrong with the text. */
function decode(key: OptionKey, text: string): unknown {
  const read = catalog[key].schema.safeParse(text)
  if (read.success) return read.data
  const { message } = read.error.issues[0]!
  throw new Refusal(isMessageKey(message) ? message : 'option.not_usable', { key }, 400, key)
}

const encode = (key: OptionKey, value: unknown): string => catalog[key].schema.encode(value)
