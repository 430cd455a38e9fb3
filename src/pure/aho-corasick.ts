/** An Aho-Corasick automaton: finds any of many words in one pass over a text. Characters are UTF-16 code units. */

const ROOT = 0
/** Marks an empty slot of the edge table: no edge leads back to the root. */
const NONE = 0
const CODE_UNITS = 65_536
/** Up to this many words `String.includes` runs first. */
const INCLUDES_WORDS_MAX = 8
/** Odd multipliers of the hash. */
const [NODE_MULTIPLIER, CODE_MULTIPLIER] = [0x9e3779b1, 0x85ebca6b]

/** All edges of the trie in one hash table of typed arrays: an object per edge would take far more memory. */
class Edges {
  readonly #mask: number
  readonly #from: Int32Array
  readonly #code: Uint16Array
  readonly #to: Int32Array

  constructor(count: number) {
    const size = 2 ** Math.ceil(Math.log2(count * 2 + 1))
    this.#mask = size - 1
    this.#from = new Int32Array(size)
    this.#code = new Uint16Array(size)
    this.#to = new Int32Array(size)
  }

  follow(node: number, code: number): number {
    return this.#to[this.#slot(node, code)]!
  }

  add(node: number, code: number, target: number) {
    const slot = this.#slot(node, code)
    this.#from[slot] = node
    this.#code[slot] = code
    this.#to[slot] = target
  }

  /** Index of an edge, or of the empty slot for it. */
  #slot(node: number, code: number): number {
    const hash = Math.imul(node, NODE_MULTIPLIER) ^ Math.imul(code, CODE_MULTIPLIER)
    let slot = (hash ^ (hash >>> 15)) & this.#mask
    while (this.#to[slot] !== NONE && (this.#from[slot] !== node || this.#code[slot] !== code)) {
      slot = (slot + 1) & this.#mask
    }
    return slot
  }
}

/** Parent of each node and the character that leads to it, in the order of creation. */
interface Trie {
  parents: Int32Array
  codes: Uint16Array
  count: number
}

export class WordFinder {
  readonly longest: number
  readonly #words: readonly string[]
  readonly #edges: Edges
  /** Node of the longest proper suffix that is a prefix of a word. */
  readonly #fallback: Int32Array
  /** Number of the word that ends at a node, from 1; 0 for none. */
  readonly #ending: Int32Array
  readonly #isFirst = new Uint8Array(CODE_UNITS)

  /** @param words not empty, in the case of the texts */
  constructor(words: readonly string[]) {
    const characters = words.reduce((sum, word) => sum + word.length, 0)
    this.longest = words.reduce((most, word) => Math.max(most, word.length), 0)
    this.#words = words
    this.#edges = new Edges(characters)
    this.#fallback = new Int32Array(characters + 1)
    this.#ending = new Int32Array(characters + 1)
    this.#linkFallbacks(this.#buildTrie())
  }

  /** @returns the word that ends first in the text */
  find(text: string): string | undefined {
    // For few words `includes` is faster than the automaton, and most texts contain none.
    if (this.#words.length <= INCLUDES_WORDS_MAX && !this.#words.some(word => text.includes(word))) return undefined
    let node = ROOT
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at)
      if (node === ROOT && !this.#isFirst[code]) continue
      node = this.#step(node, code)
      if (this.#ending[node]) return this.#words[this.#ending[node]! - 1]
    }
  }

  #step(node: number, code: number): number {
    let from = node
    let next = this.#edges.follow(from, code)
    while (next === NONE && from !== ROOT) {
      from = this.#fallback[from]!
      next = this.#edges.follow(from, code)
    }
    return next
  }

  #buildTrie(): Trie {
    const parents = new Int32Array(this.#fallback.length)
    const codes = new Uint16Array(this.#fallback.length)
    let count = 1
    for (const [index, word] of this.#words.entries()) {
      let node = ROOT
      this.#isFirst[word.charCodeAt(0)] = 1
      for (let at = 0; at < word.length; at++) {
        const code = word.charCodeAt(at)
        let next = this.#edges.follow(node, code)
        if (next === NONE) {
          next = count++
          this.#edges.add(node, code, next)
          parents[next] = node
          codes[next] = code
        }
        node = next
      }
      this.#ending[node] ||= index + 1
    }
    return { parents, codes, count }
  }

  /** By depth, because the fallback of a node is less deep than the node. */
  #linkFallbacks({ parents, codes, count }: Trie) {
    for (const node of byDepth(parents, count)) {
      const parent = parents[node]!
      const fallback = parent === ROOT ? ROOT : this.#step(this.#fallback[parent]!, codes[node]!)
      this.#fallback[node] = fallback
      this.#ending[node] ||= this.#ending[fallback]!
    }
  }
}

/** All nodes but the root. A node is created after its parent, so one pass gives the depths. */
function byDepth(parents: Int32Array, count: number): Int32Array {
  const depths = new Int32Array(count)
  for (let node = 1; node < count; node++) depths[node] = depths[parents[node]!]! + 1
  const starts = new Int32Array(depths.reduce((most, depth) => Math.max(most, depth), 0) + 2)
  for (let node = 1; node < count; node++) starts[depths[node]! + 1]!++
  for (let depth = 1; depth < starts.length; depth++) starts[depth]! += starts[depth - 1]!
  const order = new Int32Array(count - 1)
  for (let node = 1; node < count; node++) order[starts[depths[node]!]!++] = node
  return order
}
