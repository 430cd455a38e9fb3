/** Things that come and go thousands of times a second, such as running calls. */

/**
 * In places that are filled again, in no order. A Set or a Map makes a new table whenever it is full, and the old table
 * keeps what it held until a full collection of garbage.
 */
export class LiveItems<Item extends object> {
  readonly #items: (Item | undefined)[] = []
  readonly #free: number[] = []

  get size(): number {
    return this.#items.length - this.#free.length
  }

  /** @returns removes it; a second time does nothing */
  add(item: Item): () => void {
    const place = this.#free.pop() ?? this.#items.length
    this.#items[place] = item
    let isHere = true
    return () => {
      if (!isHere) return
      isHere = false
      this.#items[place] = undefined
      this.#free.push(place)
    }
  }

  *[Symbol.iterator](): Generator<Item> {
    for (const item of this.#items) if (item) yield item
  }
}
