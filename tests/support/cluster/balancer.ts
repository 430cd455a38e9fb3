/** A balancer before several nodes: each request goes to one of them at random, and to another when none is there. */
import { seededRandom } from '../random.ts'

interface Node {
  url: string
}

export class Balancer {
  readonly #random = seededRandom(1)
  /** Requests that have gone to each node. */
  readonly counts = new Map<Node, number>()

  constructor(public nodes: readonly Node[]) {}

  /** The address of a node. */
  next(): string {
    const node = this.nodes[this.#random(this.nodes.length)]!
    this.counts.set(node, (this.counts.get(node) ?? 0) + 1)
    return node.url
  }

  fetch(path: string, init?: RequestInit): Promise<Response> {
    return fetch(this.next() + path, init)
  }
}
