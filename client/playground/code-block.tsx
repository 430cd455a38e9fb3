/** A block of code: coloured when it is finished, drawn in pieces while it grows. */
import { memo, type ReactNode, useEffect, useState } from 'react'
import { Copy } from '../components/copy.tsx'
import { usePageContext } from '../components/page-context.tsx'
import type { HighlightNode } from './highlight.ts'

const HIGHLIGHTED_MAX = 50_000

export function CodeBlock({ text, language, finished }: { text: string; language: string; finished: boolean }) {
  const { t } = usePageContext()
  const highlighted = useHighlight(text, language, finished && language !== '' && text.length <= HIGHLIGHTED_MAX)
  return (
    <div className="code-block">
      {finished && <Copy text={text} label={t('playground.copy_code')} className="icon-button" />}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */}
      <pre tabIndex={0} aria-label={language || t('playground.code')} role="group">
        <code>{highlighted ? colours(highlighted) : inPieces(text)}</code>
      </pre>
    </div>
  )
}

/** The library is loaded with the first finished block. */
function useHighlight(text: string, language: string, wanted: boolean): HighlightNode[] | undefined {
  const [result, setResult] = useState<{ text: string; nodes: HighlightNode[] | undefined }>()
  useEffect(() => {
    if (!wanted) return
    let current = true
    import('./highlight.ts').then(
      ({ highlight }) => current && setResult({ text, nodes: highlight(text, language) }),
      () => {},
    )
    return () => {
      current = false
    }
  }, [text, language, wanted])
  return result?.text === text ? result.nodes : undefined
}

const colours = (nodes: HighlightNode[]): ReactNode =>
  nodes.map((node, index) =>
    typeof node === 'string' ? (
      node
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one text
      <span key={index} className={node.scope && `hl-${node.scope.split('.')[0]}`}>
        {colours(node.children)}
      </span>
    ),
  )

const PIECE_LINES = 100

const inPieces = (text: string): ReactNode =>
  // biome-ignore lint/suspicious/noArrayIndexKey: pieces are only added
  pieces(text).map((piece, index) => <Piece key={index} text={piece} />)

/** Pieces of whole lines: only the last one changes. */
function pieces(text: string): string[] {
  const lines = text.split('\n')
  const found: string[] = []
  for (let from = 0; from < lines.length; from += PIECE_LINES)
    found.push(lines.slice(from, from + PIECE_LINES).join('\n'))
  return found
}

const Piece = memo(({ text }: { text: string }) => <span className="piece">{`${text}\n`}</span>)
