/** Random conversations as one list of items, which each client's format writes in its own shape. */
import fc from 'fast-check'
import type { Owner } from '../../../src/formats/canonical/chat.ts'

export interface Item {
  kind: 'user' | 'image' | 'system' | 'assistant' | 'thought' | 'call' | 'result' | 'hosted'
  /** Unique text of the item. */
  mark: string
  /** Begins a message of its own, where its neighbours would be one. */
  starts: boolean
  /** What stands in place of its text. */
  blank?: string
  /** Who signed a thought. */
  owner?: Owner
  redacted?: boolean
  /** Number of a call, by which its id and its function are named. */
  call?: number
  /** A result with an image, or of a failure. */
  image?: boolean
  error?: boolean
}

export interface Conversation {
  items: Item[]
  /** Instructions before it. */
  system: string[]
  /** The client's format leaves ids of calls out where it can. */
  bare_ids: boolean
  /** The client keeps texts in lists of parts, and streamed texts in pieces. */
  pieces: boolean
  thinks: boolean
  tools: boolean
  marks: number
  max_output: number
  stream: boolean
  /** What happened to the history has left calls, results or turns out of their places. */
  is_bent: boolean
}

const owners: (Owner | undefined)[] = ['anthropic', 'openai', 'gemini', 'bedrock', undefined]

/** What a step of the assistant consists of. */
const step = fc.record({
  thought: fc.option(fc.record({ owner: fc.constantFrom(...owners), redacted: fc.boolean(), is_blank: fc.boolean() }), {
    freq: 2,
  }),
  text: fc.boolean(),
  calls: fc.array(fc.record({ image: fc.boolean(), error: fc.boolean(), thinks: fc.boolean() }), { maxLength: 3 }),
  hosted: fc.boolean(),
  starts: fc.boolean(),
})

const round = fc.record({
  user: fc.array(fc.constantFrom('user', 'image', 'user'), { minLength: 1, maxLength: 3 }),
  system: fc.nat(7),
  steps: fc.array(step, { minLength: 1, maxLength: 3 }),
})

type Round = typeof round extends fc.Arbitrary<infer T> ? T : never

/** What clients, their cuts and their trimming do to a history. */
const bend = fc.record({
  kind: fc.constantFrom(
    'drop',
    'drop',
    'swap',
    'repeat',
    'blank',
    'space',
    'cut',
    'behead',
    'same_id',
    'system',
    'start',
  ),
  at: fc.nat(),
  to: fc.nat(),
})

type Bend = typeof bend extends fc.Arbitrary<infer T> ? T : never

export const conversations: fc.Arbitrary<Conversation> = fc
  .record({
    rounds: fc.array(round, { minLength: 1, maxLength: 3 }),
    bends: fc.oneof(fc.constant<Bend[]>([]), fc.array(bend, { minLength: 1, maxLength: 4 })),
    system: fc.array(fc.constantFrom('Be brief.', 'Be kind.', ''), { maxLength: 3 }),
    ...{ bare_ids: fc.boolean(), pieces: fc.boolean(), thinks: fc.boolean(), stream: fc.boolean() },
    ends: fc.constantFrom('user', 'results', 'assistant' as const),
    ...{ tools: fc.integer({ min: 0, max: 3 }), marks: fc.nat(7), max_output: fc.constantFrom(500, 20_000) },
  })
  .map(({ rounds, bends, ends, tools, ...others }) => {
    const items = bent(itemsOf(rounds, ends), bends)
    return { ...others, items, tools: tools > 0, is_bent: bends.length > 0 }
  })

/** Numbers the items of one conversation. */
class Items {
  readonly list: Item[] = []
  calls = 0

  add(kind: Item['kind'], fields: Partial<Item> = {}) {
    this.list.push({ kind, mark: `<m${this.list.length}>`, starts: false, ...fields })
  }
}

function itemsOf(rounds: Round[], ends: string): Item[] {
  const items = new Items()
  for (const [index, { user, system, steps }] of rounds.entries()) {
    if (system === 0) items.add('system')
    for (const kind of user) items.add(kind as Item['kind'])
    const isLast = index === rounds.length - 1
    if (isLast && ends === 'user') break
    for (const [at, { calls, ...one }] of steps.entries()) {
      // The model answers in the end, unless the results are what comes last.
      const isAnswer = at === steps.length - 1 && !(isLast && ends === 'results')
      addStep(items, { ...one, calls: isAnswer ? [] : calls })
    }
  }
  return items.list
}

function addStep(items: Items, { thought, text, calls, hosted, starts }: Round['steps'][number]) {
  if (thought)
    items.add('thought', { ...thought, redacted: isRedacted(thought), ...(thought.is_blank && { blank: '' }) })
  if (text || !calls.length) items.add('assistant', { starts })
  if (hosted) items.add('hosted')
  const first = items.calls
  for (const { thinks } of calls) {
    if (thinks) items.add('thought', { owner: thought?.owner, starts })
    items.add('call', { call: items.calls++, starts })
  }
  for (const [index, { image, error }] of calls.entries()) items.add('result', { call: first + index, image, error })
}

const isRedacted = ({ owner, redacted }: { owner: Owner | undefined; redacted: boolean }): boolean =>
  redacted && (owner === 'anthropic' || owner === 'bedrock')

function bent(items: Item[], bends: Bend[]): Item[] {
  let list = items
  for (const { kind, at, to } of bends) list = bentOnce(list, kind, at % Math.max(1, list.length), to)
  return list.map((item, index) => ({ ...item, mark: `<m${index}>` }))
}

function bentOnce(list: Item[], kind: Bend['kind'], at: number, to: number): Item[] {
  const item = list[at]
  if (!item) return list
  const other = to % list.length
  switch (kind) {
    case 'drop':
      return list.toSpliced(at, 1)
    case 'swap':
      return list.with(at, list[other]!).with(other, item)
    case 'repeat':
      return list.toSpliced(other, 0, item)
    case 'blank':
      return list.with(at, { ...item, blank: '' })
    case 'space':
      return list.with(at, { ...item, blank: ' \n' })
    case 'cut':
      return list.slice(0, at + 1)
    case 'behead':
      return list.slice(at)
    case 'same_id':
      return list.map(one => (one.call === undefined ? one : { ...one, call: one.call % ((to % 3) + 1) }))
    case 'system':
      return list.toSpliced(at, 0, { kind: 'system', mark: '', starts: true })
    case 'start':
      return list.map(one => ({ ...one, starts: true }))
  }
}
