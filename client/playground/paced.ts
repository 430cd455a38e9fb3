/** Draws in animation frames, and less often while drawing is slow: the page stays responsive. */

/** A drawing that took 10 ms is followed by 30 ms for everything else. */
const REST_FACTOR = 3

/** @param draw draws synchronously, so that its cost can be measured */
export function paced(draw: () => void) {
  let frame = 0
  let rested_at = 0
  const step = () => {
    const start = performance.now()
    if (start < rested_at) {
      frame = requestAnimationFrame(step)
      return
    }
    frame = 0
    draw()
    const end = performance.now()
    rested_at = end + REST_FACTOR * (end - start)
  }
  return {
    /** Draws in the next frame. */
    request() {
      frame ||= requestAnimationFrame(step)
    },
    /** Draws now: hidden tabs have no frames. */
    finish() {
      cancelAnimationFrame(frame)
      frame = 0
      draw()
    },
  }
}
