/** What the items of random conversations hold, the same in every format. */
import type { Owner, Signature } from '../../../src/formats/canonical/chat.ts'
import { wrap } from '../../../src/formats/translate/signature.ts'
import { signatureBy } from '../rules/rule.ts'
import type { Conversation, Item } from './conversation.ts'

export const textOf = ({ blank, mark }: Item): string => blank ?? `Text ${mark}.`

/** The text of a redacted thought is not known. */
export const thoughtOf = (item: Item): string => (item.redacted ? '' : textOf(item))

export const nameOf = ({ call }: Item): string => `tool_${call}`
export const idOf = ({ call }: Item): string => `call_x${call}`
export const argumentsOf = ({ mark, blank }: Item) => (blank === undefined ? { query: mark } : {})

/** Tools that the client declares; some declare one twice. */
export function toolNames({ items, marks }: Conversation): string[] {
  const called = new Set(items.filter(({ kind }) => kind === 'call').map(nameOf))
  return [...called, 'other', ...(marks % 2 ? ['other'] : [])]
}

/** The signature of a thought by its maker. */
export function signatureOf(item: Item): Signature | undefined {
  const { owner, redacted, mark } = item
  if (!owner) return undefined
  if (redacted) return { owner, value: signatureBy(owner, 'redacted', mark), redacted: true }
  return { owner, value: signatureBy(owner, thoughtOf(item), mark) }
}

/** The same as a client of a format has it. */
export function wrappedFor(client: Owner, item: Item): string | undefined {
  const signature = signatureOf(item)
  return signature && wrap(signature, client)
}

/** Neighbours that one message holds. @param isSame whether an item may follow another there */
export function grouped(items: readonly Item[], isSame: (last: Item, next: Item) => boolean): Item[][] {
  const groups: Item[][] = []
  for (const item of items) {
    const last = groups.at(-1)
    if (last && !item.starts && isSame(last.at(-1)!, item)) last.push(item)
    else groups.push([item])
  }
  return groups
}

export type Side = 'user' | 'assistant' | 'system'

const sides: Record<Item['kind'], Side> = {
  ...{ user: 'user', image: 'user', result: 'user', system: 'system' },
  ...{ assistant: 'assistant', thought: 'assistant', call: 'assistant', hosted: 'assistant' },
}

export const sideOf = ({ kind }: Item): Side => sides[kind]
