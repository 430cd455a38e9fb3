/** Relative times go on by themselves, by the server's clock. */
import { relative } from '../../src/pure/time.ts'
import { clientMessage } from '../messages.ts'

const EVERY_MS = 10_000
const MS = 1000

/** When a time was first seen, by its element and the server's now of its render. */
const seen = new WeakMap<Element, { rendered: string; at: number }>()

function refresh() {
  for (const time of document.querySelectorAll<HTMLTimeElement>('time[data-now]')) {
    const rendered = time.dataset.now!
    const known = seen.get(time)
    if (known?.rendered !== rendered) {
      seen.set(time, { rendered, at: performance.now() })
      continue
    }
    const now = Math.floor(Number(rendered) + (performance.now() - known.at) / MS)
    const { code, count } = relative(Date.parse(time.dateTime) / MS, now)
    const text = clientMessage(code, { count: String(count) })
    if (time.textContent !== text) time.textContent = text
  }
}

refresh()
setInterval(refresh, EVERY_MS)
document.addEventListener('htmx:after:settle', refresh)
document.addEventListener('visibilitychange', refresh)
