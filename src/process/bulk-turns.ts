/** Turns of the event loop for work in bulk: other work runs between, however much of it waits. */
import { onReset } from './stores.ts'

/** Pieces of bulk work in one turn of the loop: a few milliseconds. */
const PIECES_PER_TURN = 8

let waiting: (() => void)[] = []
let left = PIECES_PER_TURN
let isScheduled = false
onReset('bulk-turns', () => {
  waiting = []
})

/** Resolves when a piece may be done; at once, without a promise, while there are few. */
export function bulkTurn(): Promise<void> | undefined {
  if (!isScheduled) {
    isScheduled = true
    setImmediate(begin)
  }
  if (left === 0) return new Promise(resolve => waiting.push(resolve))
  left--
}

function begin() {
  const next = waiting.splice(0, PIECES_PER_TURN)
  left = PIECES_PER_TURN - next.length
  isScheduled = next.length > 0
  if (isScheduled) setImmediate(begin)
  for (const start of next) start()
}
