/** Finds any of many words in a text, in one pass however many they are: Aho and Corasick's automaton. */

const ROOT = 0
/** In a table of edges: none here. No edge leads back to the root. */
const NONE = 0
const CODES = 65_536
const FEW = 8
/** Two odd numbers that spread nodes and letters over the table. */
const [SPREAD_NODES, SPREAD_CODES] = [0x9e3779b1, 0x85ebca6b]

/** The edges between nodes, in one table without objects: there are as many as the words have letters. */
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

  /** Where this edge is, or would be. */
  #slot(node: number, code: number): number {
    const mixed = Math.imul(node, SPREAD_NODES) ^ Math.imul(code, SPREAD_CODES)
    let slot = (mixed ^ (mixed >>> 15)) & this.#mask
    while (this.#to[slot] !== NONE && (this.#from[slot] !== node || this.#code[slot] !== code)) {
      slot = (slot + 1) & this.#mask
    }
    return slot
  }
}

/** For every node, in the order of their making, the node before it and the letter between. */
interface Plant {
  parents: Int32Array
  codes: Uint16Array
  count: number
}

export class WordFinder {
  readonly longest: number
  readonly #words: readonly string[]
  readonly #edges: Edges
  /** The node of the longest end of what was read that begins a word as well. */
  readonly #fallback: Int32Array
  /** The place of the word that ends at a node, counted from 1. */
  readonly #ending: Int32Array
  readonly #begins = new Uint8Array(CODES)

  /** @param words not empty, in the case in which texts will come */
  constructor(words: readonly string[]) {
    const letters = words.reduce((sum, word) => sum + word.length, 0)
    this.longest = words.reduce((most, word) => Math.max(most, word.length), 0)
    this.#words = words
    this.#edges = new Edges(letters)
    this.#fallback = new Int32Array(letters + 1)
    this.#ending = new Int32Array(letters + 1)
    this.#link(this.#plant())
  }

  /** @returns a word that is in the text, the one that ends first. */
  find(text: string): string | undefined {
    // The engine's own search is so quick that it pays for few words, of which mostly none is there.
    if (this.#words.length <= FEW && !this.#words.some(word => text.includes(word))) return undefined
    let node = ROOT
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at)
      if (node === ROOT && !this.#begins[code]) continue
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

  #plant(): Plant {
    const parents = new Int32Array(this.#fallback.length)
    const codes = new Uint16Array(this.#fallback.length)
    let count = 1
    for (const [index, word] of this.#words.entries()) {
      let node = ROOT
      this.#begins[word.charCodeAt(0)] = 1
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

  /** Shorter beginnings first: what a node falls back to is always shorter. */
  #link({ parents, codes, count }: Plant) {
    for (const node of byDepth(parents, count)) {
      const parent = parents[node]!
      const fallback = parent === ROOT ? ROOT : this.#step(this.#fallback[parent]!, codes[node]!)
      this.#fallback[node] = fallback
      this.#ending[node] ||= this.#ending[fallback]!
    }
  }
}

/** All nodes but the root. A node is made after its parent, so depths are known in one pass. */
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
