/** A list or a table that streams in: finished items and rows are read once, only the last ones are read anew. */
import type { Token, Tokens } from 'marked'

type GrowingToken = Tokens.List | Tokens.Table
type Lex = (source: string) => Token[]

/** Items or rows that are read anew: one is finished when the next one has begun. */
const OPEN = 2
/** A shorter block is read as a whole. */
const LENGTH_MIN = 2000

export class GrowingBlock {
  /** The block as far as its finished items or rows. */
  #finished?: GrowingToken
  /** Stands before the open ones when they are read. */
  #head = ''

  /** The tokens of a text that begins as the last one did. */
  read(source: string, lex: Lex): Token[] {
    const tokens = this.#continued(source, lex) ?? lex(source)
    this.#finished = this.#finishedIn(tokens, source, lex)
    return tokens
  }

  /** Another text begins. */
  reset() {
    this.#finished = undefined
  }

  #continued(source: string, lex: Lex): Token[] | undefined {
    const finished = this.#finished
    if (!finished) return
    const [open, ...after] = lex(this.#head + source.slice(finished.raw.length))
    const raw = finished.raw + open!.raw.slice(this.#head.length)
    if (isAlike(finished, open)) return [withParts(finished, [...partsOf(finished), ...openParts(open)], raw), ...after]
  }

  /** @returns undefined for a block that is short or complete, and where its last parts alone would be read in another way */
  #finishedIn([whole, ...after]: Token[], source: string, lex: Lex): GrowingToken | undefined {
    const isLast = after.every(({ type }) => type === 'space')
    if (!isLast || !whole || !isGrowing(whole) || whole.raw.length < LENGTH_MIN) return
    const parts = partsOf(whole).slice(0, -OPEN)
    const raw = whole.raw.slice(0, lengthOf(whole, parts.length))
    const finished = withParts(whole, parts, raw)
    // What marked has rewritten cannot be cut.
    if (!source.startsWith(raw)) return
    if (finished.type === 'list' && finished.loose !== finished.items.some(isFollowedByGap)) return
    this.#head = headOf(whole)
    const [open, ...others] = lex(this.#head + whole.raw.slice(raw.length))
    if (others.length === 0 && isAlike(finished, open) && openParts(open).length === OPEN) return finished
  }
}

const isGrowing = (token: Token): token is GrowingToken => token.type === 'list' || token.type === 'table'

const isAlike = (finished: GrowingToken, open: Token | undefined): open is GrowingToken =>
  finished.type === 'list'
    ? open?.type === 'list' && open.loose === finished.loose && open.ordered === finished.ordered
    : open?.type === 'table'

const partsOf = (block: GrowingToken): unknown[] => (block.type === 'list' ? block.items : block.rows)

const withParts = (block: GrowingToken, parts: unknown[], raw: string): GrowingToken =>
  ({ ...block, raw, [block.type === 'list' ? 'items' : 'rows']: parts }) as GrowingToken

/** The header of a table; in a loose list an item with a gap, after which the others are loose too. */
function headOf(block: GrowingToken): string {
  if (block.type === 'table') return `${block.raw.split('\n', 2).join('\n')}\n`
  return block.loose ? `${/^ *\S+/.exec(block.raw)![0]} x\n\n` : ''
}

/** Without the item of the head. */
const openParts = (open: GrowingToken): unknown[] =>
  open.type === 'list' && open.loose ? open.items.slice(1) : partsOf(open)

/** Length of the source of the first parts. */
const lengthOf = (block: GrowingToken, parts: number): number =>
  block.type === 'list'
    ? block.items.slice(0, parts).reduce((sum, { raw }) => sum + raw.length, 0)
    : block.raw.split('\n', parts + 2).join('\n').length + 1

/** Such an item makes its list loose. */
const isFollowedByGap = ({ raw, tokens }: Tokens.ListItem): boolean =>
  /\n[ \t]*\n[ \t]*$/.test(raw) || tokens.some(token => token.type === 'space' && /\n.*\n/.test(token.raw))
