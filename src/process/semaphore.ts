/** Limits concurrency: at most `width` pieces of work run, the others wait in order. */
export function semaphore(width: number) {
  let free = width
  const waiting: (() => void)[] = []
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (free === 0) await new Promise<void>(resolve => waiting.push(resolve))
    else free--
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else free++
    }
  }
}
