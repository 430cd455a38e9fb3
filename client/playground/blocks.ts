/** Splits Markdown that streams in into blocks: finished ones are read once, only the last is read anew. */
import { Marked, type Token, type TokenizerAndRendererExtension } from 'marked'
import { isDeepMarkdown } from '../../src/pure/deep-markdown.ts'
import { GrowingBlock } from './growing-block.ts'

export interface Block {
  /** Offset in the text: the same block keeps its key. */
  key: number
  token: Token
}

/** A formula between dollar signs or TeX brackets. */
export interface FormulaToken {
  type: 'formula'
  raw: string
  tex: string
  display: boolean
}

export const isFormula = (token: { type: string }): token is FormulaToken => token.type === 'formula'

const displayed: TokenizerAndRendererExtension = {
  name: 'displayed_formula',
  level: 'block',
  start: source => source.match(/\$\$|\\\[/)?.index,
  tokenizer(source) {
    const found = /^(?:\$\$([^$]+?)\$\$|\\\[([\s\S]+?)\\\])[ \t]*(?:\n|$)/.exec(source)
    if (found) return { type: 'formula', raw: found[0], tex: (found[1] ?? found[2])!.trim(), display: true }
  },
}

/** A dollar sign opens before a letter and closes behind one: `$5 and $10` are amounts. */
const inline: TokenizerAndRendererExtension = {
  name: 'inline_formula',
  level: 'inline',
  start: source => source.match(/\$|\\[([]/)?.index,
  tokenizer(source) {
    const found =
      /^\$\$([^$\n]+?)\$\$/.exec(source) ??
      /^\$(?!\s)((?:\\.|[^$\\\n])+?)(?<!\s)\$(?!\d)/.exec(source) ??
      /^\\\(([\s\S]+?)\\\)/.exec(source) ??
      /^\\\[([\s\S]+?)\\\]/.exec(source)
    if (found) return { type: 'formula', raw: found[0], tex: found[1]!.trim(), display: false }
  },
}

const marked = new Marked({ extensions: [displayed, inline] })

/** A text too deeply nested to be read is shown as it is. */
function lex(source: string): Token[] {
  const asItIs = [{ type: 'html', raw: source, text: source }]
  if (isDeepMarkdown(source)) return asItIs
  try {
    return marked.lexer(source)
  } catch {
    return asItIs
  }
}

export class BlockSplitter {
  #text = ''
  #finished: Block[] = []
  /** Length of the text in finished blocks. */
  #read = 0
  #growing = new GrowingBlock()

  /** The blocks of a text; one that continues the last text costs only what is new. */
  split(text: string): Block[] {
    if (!text.startsWith(this.#text)) {
      this.#finished = []
      this.#read = 0
      this.#growing.reset()
    }
    this.#text = text
    const tokens = this.#growing.read(text.slice(this.#read), lex)
    const last = tokens.findLastIndex(token => token.type !== 'space')
    let at = this.#read
    const blocks = tokens.map(token => {
      const block = { key: at, token }
      at += token.raw.length
      return block
    })
    // What marked has rewritten cannot be cut: it is read again as a whole.
    if (at !== text.length) return [...this.#finished, ...blocks]
    this.#finished.push(...blocks.slice(0, Math.max(last, 0)))
    this.#read = blocks[Math.max(last, 0)]?.key ?? this.#read
    return [...this.#finished, ...blocks.slice(Math.max(last, 0))]
  }
}
