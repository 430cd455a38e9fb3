/** Options: in memory, read synchronously; every change is validated, stored and announced. */

import { tellOthers } from '../../cluster/changes.ts'
import { invalidate, onInvalidation } from '../../cluster/invalidation.ts'
import { Role } from '../../contracts/account.ts'
import { type Actor, SYSTEM } from '../../contracts/actor.ts'
import type { OptionRow } from '../../contracts/option.ts'
import { forbidden, Refusal } from '../../contracts/refusal.ts'
import type { PublicStatus } from '../../contracts/status.ts'
import { seal, unseal } from '../../crypto/sealing.ts'
import { atomic, inTurn, type Query, run } from '../../db/atomic.ts'
import { db, type Tx } from '../../db/database.ts'
import { isMessageKey } from '../../locales/index.ts'
import { now } from '../../process/clock.ts'
import { log, reason } from '../../process/log.ts'
import { onReset } from '../../process/stores.ts'
import { VERSION } from '../../pure/version.ts'
import { recordChange } from '../audit-log/index.ts'
import { catalog, isOptionKey, type OptionKey, type OptionValue, optionKeys } from './catalog.ts'
import { options } from './table.ts'

type Memory = Record<OptionKey, unknown>

const startTime = now()
const initial = () => Object.fromEntries(optionKeys.map(key => [key, catalog[key].initial])) as Memory

let memory = initial()
let statusCache: PublicStatus | undefined
/** Options with a stored value; the others have their default. */
let explicit = new Set<OptionKey>()
/** Stored texts that this version cannot use, by key. */
let unusable = new Map<string, string>()
let lastStore: Promise<unknown> = Promise.resolve()
onReset('options', () => {
  adopt(initial(), new Set(), new Map())
  lastStore = Promise.resolve()
})

/** The value of an option, typed by its declaration. */
export const option = <Key extends OptionKey>(key: Key) => memory[key] as OptionValue<Key>

/** All options at one moment. */
export interface OptionState {
  value<Key extends OptionKey>(key: Key): OptionValue<Key>
  /** As it is stored and sent. */
  text(key: OptionKey): string
}

const stateOf = (values: Memory): OptionState => ({
  value: <Key extends OptionKey>(key: Key) => values[key] as OptionValue<Key>,
  text: key => encode(key, values[key]),
})

export const currentOptions = (): OptionState => stateOf(memory)

/** The options as they would be with these texts. @throws Refusal 400 or 200 at the field of the invalid one */
export const draftOptions = (texts: OptionTexts): OptionState => stateOf(withTexts(texts))

/** Calls back after any change of an option. */
export const onOptionChange = (listener: () => void) => onInvalidation('options', listener)

interface OptionChanges {
  keys: readonly OptionKey[]
  before: OptionState
  after: OptionState
  actor: Actor
}
type CommitStep = (tx: Tx, changes: OptionChanges) => Generator<Query<unknown>, void, unknown>

const commitSteps: CommitStep[] = []

/** Adds a step to the transaction of every change: what it writes is stored with the options, or neither is. */
export const onOptionCommit = (step: CommitStep) => {
  commitSteps.push(step)
}

/** Loads the stored options. An invalid value is logged and replaced by its default, so that a start never fails. */
export async function loadOptions() {
  const loaded = initial()
  const keys = new Set<OptionKey>()
  const refused = new Map<string, string>()
  for (const { key, value } of await db.select().from(options)) {
    if (!isOptionKey(key)) {
      refused.set(key, value)
      continue
    }
    try {
      loaded[key] = decode(key, catalog[key].secret ? unseal(value) : value)
      keys.add(key)
    } catch (error) {
      refused.set(key, value)
      log.warn('stored option invalid, default used', { key, reason: reason(error) })
    }
  }
  adopt(loaded, keys, refused)
}

/** Another node has changed stored options. */
const STORED = 'stored-options'
onInvalidation(STORED, () => {
  // Between two changes of this node: one that runs would put back what it has read before.
  lastStore = lastStore
    .then(loadOptions)
    .catch(error => log.warn('options of another node not read', { reason: reason(error) }))
})

/** Whether an option has a stored value that its schema refuses: the default is in use. */
export const isUnusable = (key: OptionKey) => unusable.has(key)

/** The stored text that the schema refuses; undefined for a secret. */
export const unusableText = (key: OptionKey) => (catalog[key].secret ? undefined : unusable.get(key))

/** Keys that another version has stored, and this one does not know. */
export const unknownOptions = (): string[] => [...unusable.keys()].filter(key => !isOptionKey(key)).sort()

/** Every option as text, defaults included, secrets excluded. */
export const listOptions = (): OptionRow[] =>
  optionKeys.filter(key => !catalog[key].secret).map(key => ({ key, value: encode(key, memory[key]) }))

/** A choice of the options, each as its text. */
export type OptionTexts = { readonly [Key in OptionKey]?: string }

/** Stores one option. An empty secret keeps the stored one. @throws Refusal 400 or 403, without a change */
export async function setOption(key: string, text: string, actor: Actor) {
  if (!isOptionKey(key)) throw new Refusal('option.unknown', { key }, 400, 'key')
  await setOptions({ [key]: text }, actor)
}

/**
 * Stores options in one commit, all or none. An empty secret keeps the stored one.
 * @param check runs first in the transaction, and may throw
 * @throws Refusal 400 or 403, without a change
 */
export async function setOptions(texts: OptionTexts, actor: Actor, check?: (tx: Tx) => ReturnType<CommitStep>) {
  const keys = (Object.keys(texts) as OptionKey[]).filter(key => !catalog[key].secret || texts[key]!.trim() !== '')
  checkRole(keys, actor)
  if (keys.length) await store(keys, texts, actor, check)
}

/** Removes a stored secret. @throws Refusal 200 or 403, without a change */
export async function clearSecret(key: OptionKey, actor: Actor, check?: (tx: Tx) => ReturnType<CommitStep>) {
  checkRole([key], actor)
  await store([key], { [key]: '' }, actor, check)
}

function checkRole(keys: readonly OptionKey[], actor: Actor) {
  if (keys.some(key => catalog[key].root) && actor.role < Role.root) throw forbidden()
}

/** Stores an option on behalf of no user. @throws Refusal 400 */
export const setOptionAsSystem = (key: OptionKey, text: string) => setOptions({ [key]: text }, SYSTEM)

/** The same of several, all or none. @throws Refusal 400 */
export const setOptionsAsSystem = (texts: OptionTexts) => setOptions(texts, SYSTEM)

export const resetModelRatio = (actor: Actor) => setOption('ModelRatio', defaultText('ModelRatio'), actor)

/** Whether new users are taken. In self-use mode the operator has to have opened registration explicitly. */
export const isRegistrationOpen = () =>
  option('RegisterEnabled') && (explicit.has('RegisterEnabled') || !option('SelfUseModeEnabled'))

/** The public part of the options, with version and start time. */
export function publicStatus(): PublicStatus {
  statusCache ??= {
    version: VERSION,
    start_time: startTime,
    registration_open: isRegistrationOpen(),
    enable_online_topup: Boolean(option('PayAddress') && option('EpayId') && option('EpayKey')),
    ...Object.fromEntries(
      optionKeys.flatMap(key => (catalog[key].publicAs ? [[catalog[key].publicAs, memory[key]]] : [])),
    ),
  } as PublicStatus
  return statusCache
}

/** Changes are stored one after another: each is validated against the one before. */
function store(...change: Parameters<typeof storeNow>): Promise<void> {
  const stored = lastStore.then(() => storeNow(...change))
  lastStore = stored.catch(() => undefined)
  return stored
}

async function storeNow(
  keys: readonly OptionKey[],
  texts: OptionTexts,
  actor: Actor,
  check?: (tx: Tx) => ReturnType<CommitStep>,
) {
  const changed = withTexts(texts)
  const changes = { keys, before: stateOf(memory), after: stateOf(changed), actor }
  await atomic(function* (tx) {
    // What `check` reads is what this transaction overwrites, also while another node saves.
    yield* inTurn(tx, 'options')
    if (check) yield* check(tx)
    for (const key of keys) {
      yield* writeOption(tx, key, encode(key, changed[key]))
      yield* recordChange(tx, actor, {
        action: 'option.change',
        target: { kind: 'option', id: key },
        before: fieldsOf(memory[key]),
        after: fieldsOf(changed[key]),
        secrets: catalog[key].secret ? ['value'] : [],
        exact: true,
      })
    }
    for (const step of commitSteps) yield* step(tx, changes)
  })
  const refused = [...unusable].filter(([key]) => !(keys as readonly string[]).includes(key))
  adopt(changed, new Set([...explicit, ...keys]), new Map(refused))
}

/** Every text is read before any value counts. */
function withTexts(texts: OptionTexts): Memory {
  const keys = Object.keys(texts) as OptionKey[]
  const changed = { ...memory, ...Object.fromEntries(keys.map(key => [key, decode(key, texts[key]!)])) } as Memory
  for (const key of keys) {
    const invalid = catalog[key].section.check?.(changed)
    if (invalid) throw new Refusal(invalid, {}, 200, key)
  }
  return changed
}

/** A map (of prices, of groups) as its entries, so that only changed ones are recorded. */
export const fieldsOf = (value: unknown): Record<string, unknown> => (isMap(value) ? { ...value } : { value })

export const isMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Writes an option inside a transaction; call `loadOptions` after the commit. */
export function* writeOption(tx: Tx, key: OptionKey, text: string) {
  const value = catalog[key].secret ? seal(text) : text
  yield* run(tx.insert(options).values({ key, value }).onConflictDoUpdate({ target: options.key, set: { value } }))
  yield* tellOthers(tx, STORED)
}

function adopt(changed: Memory, keys: Set<OptionKey>, refused: Map<string, string>) {
  memory = changed
  explicit = keys
  unusable = refused
  statusCache = undefined
  invalidate('options')
}

/** @throws Refusal 400 at the field of the option */
function decode(key: OptionKey, text: string): unknown {
  const read = catalog[key].schema.safeParse(text)
  if (read.success) return read.data
  const { message, path } = read.error.issues[0]!
  const name = path.join(' → ')
  throw new Refusal(isMessageKey(message) ? message : 'option.not_usable', { key, name }, 400, key)
}

/** The text as it is stored. @throws Refusal 400 at the field of the option */
export const storedForm = (key: OptionKey, text: string): string => encode(key, decode(key, text))

/** The text of the default. */
export const defaultText = (key: OptionKey): string => encode(key, catalog[key].initial)

const encode = (key: OptionKey, value: unknown): string => catalog[key].schema.encode(value)
