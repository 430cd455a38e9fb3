/** Markdown of a model as React elements: HTML in it is text, links are checked, pictures of other sites wait for a click. */
import type { MarkedToken, Token, Tokens } from 'marked'
import { Fragment, memo, type ReactNode, useMemo, useState } from 'react'
import { BlockSplitter, isFormula } from './blocks.ts'
import { CodeBlock } from './code-block.tsx'
import { Formula } from './formula.tsx'
import { Picture } from './picture.tsx'
import { decoded, safeLink } from './safe-link.ts'

/** @param streaming more text may follow: the last block is unfinished */
export function Markdown({ text, streaming }: { text: string; streaming: boolean }) {
  const [splitter] = useState(() => new BlockSplitter())
  const blocks = useMemo(() => splitter.split(text), [splitter, text])
  const last = blocks.findLastIndex(({ token }) => token.type !== 'space')
  return blocks.map(({ key, token }, index) => (
    <BlockView key={key} token={token} depth={0} finished={!streaming || index < last} />
  ))
}

interface BlockProps {
  token: Token
  depth: number
  finished: boolean
}

/** Of deeper nesting only the source is shown. */
const DEPTH_MAX = 24

/** A block with the same source is not drawn again. */
const BlockView = memo(
  ({ token, depth, finished }: BlockProps): ReactNode => {
    if (depth > DEPTH_MAX) return <p>{token.raw}</p>
    if (isFormula(token)) return <Formula tex={token.tex} source={token.raw.trim()} display />
    return blockOf(token as MarkedToken, depth, finished)
  },
  (a, b) => a.token.raw === b.token.raw && a.token.type === b.token.type && a.finished === b.finished,
)

function blockOf(token: MarkedToken, depth: number, finished: boolean): ReactNode {
  switch (token.type) {
    case 'paragraph':
      return <p>{inlines(token.tokens, depth)}</p>
    case 'heading':
      return <Heading depth={token.depth}>{inlines(token.tokens, depth)}</Heading>
    case 'code':
      return <CodeBlock text={token.text} language={token.lang?.split(/\s/)[0] ?? ''} finished={finished} />
    case 'blockquote':
      return <blockquote>{blocksIn(token.tokens, depth, finished)}</blockquote>
    case 'list':
      return <List token={token} depth={depth} finished={finished} />
    case 'table':
      return <Table token={token} depth={depth} />
    case 'hr':
      return <hr />
    case 'space':
    case 'def':
      return null
    case 'html':
      return <p className="source">{token.raw}</p>
    case 'text':
    case 'checkbox':
      return <>{inlines(('tokens' in token && token.tokens) || [token], depth)}</>
    default:
      return <p>{inlines([token], depth)}</p>
  }
}

const blocksIn = (tokens: Token[], depth: number, finished: boolean) =>
  tokens.map((token, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: blocks are only added
    <BlockView key={index} token={token} depth={depth + 1} finished={finished} />
  ))

/** Page and message have the headings above. */
const HEADINGS_ABOVE = 2
const HEADING_MAX = 6

function Heading({ depth, children }: { depth: number; children: ReactNode }) {
  const Tag = `h${Math.min(depth + HEADINGS_ABOVE, HEADING_MAX)}` as 'h3'
  return <Tag>{children}</Tag>
}

function List({ token, depth, finished }: BlockProps & { token: Tokens.List }) {
  const items = token.items.map((item, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: items are only added
    <ListItem key={index} token={item} depth={depth} finished={finished || index < token.items.length - 1} />
  ))
  return token.ordered ? <ol start={Number(token.start) || 1}>{items}</ol> : <ul>{items}</ul>
}

const ListItem = memo(
  ({ token, depth, finished }: BlockProps & { token: Tokens.ListItem }) => (
    <li className={token.task ? 'task' : undefined}>{blocksIn(token.tokens, depth, finished)}</li>
  ),
  (a, b) => a.token.raw === b.token.raw && a.token.loose === b.token.loose && a.finished === b.finished,
)

function Table({ token, depth }: { token: Tokens.Table; depth: number }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
    <div className="wide-table" tabIndex={0}>
      <table>
        <thead>
          <Row cells={token.header} depth={depth} of="th" />
        </thead>
        <tbody>
          {token.rows.map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows are only added
            <Row key={index} cells={row} depth={depth} of="td" />
          ))}
        </tbody>
      </table>
    </div>
  )
}

interface RowProps {
  cells: Tokens.TableCell[]
  depth: number
  of: 'th' | 'td'
}

const Row = memo(
  ({ cells, depth, of: Tag }: RowProps) => (
    <tr>
      {cells.map((cell, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a column has its place
        <Tag key={index} className={cell.align ? `align-${cell.align}` : undefined}>
          {inlines(cell.tokens, depth)}
        </Tag>
      ))}
    </tr>
  ),
  ({ cells: a }, { cells: b }) =>
    a === b || (a.length === b.length && a.every((cell, index) => cell.text === b[index]!.text)),
)

const inlines = (tokens: Token[] = [], depth: number): ReactNode =>
  // biome-ignore lint/suspicious/noArrayIndexKey: text is only added
  tokens.map((token, index) => <Fragment key={index}>{inlineOf(token, depth + 1)}</Fragment>)

function inlineOf(of: Token, depth: number): ReactNode {
  if (depth > DEPTH_MAX) return of.raw
  if (isFormula(of)) return <Formula tex={of.tex} source={of.raw} />
  const token = of as MarkedToken
  switch (token.type) {
    case 'text':
      return token.tokens ? inlines(token.tokens, depth) : decoded(token.text)
    case 'escape':
      return decoded(token.text)
    case 'strong':
      return <strong>{inlines(token.tokens, depth)}</strong>
    case 'em':
      return <em>{inlines(token.tokens, depth)}</em>
    case 'del':
      return <del>{inlines(token.tokens, depth)}</del>
    case 'codespan':
      return <code>{token.text}</code>
    case 'checkbox':
      return (
        <span role="img" aria-label={token.checked ? '☑' : '☐'}>
          {token.checked ? '☑ ' : '☐ '}
        </span>
      )
    case 'br':
      return <br />
    case 'link':
      return <Link href={token.href}>{inlines(token.tokens, depth)}</Link>
    case 'image':
      return <Picture address={token.href} text={decoded(token.text)} />
    default:
      return token.raw
  }
}

/** A link to another site; the text alone where the address is not safe. */
function Link({ href, children }: { href: string; children: ReactNode }) {
  const safe = safeLink(href)
  if (!safe) return children
  return (
    <a className="text" href={safe} target="_blank" rel="noopener noreferrer nofollow">
      {children}
    </a>
  )
}
