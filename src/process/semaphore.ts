/** Limits concurrency: at most `width` pieces of work run, the others wait in order; `waiting` counts them. */
export function semaphore(width: number) {
  let free = width
  const waiting: (() => void)[] = []
  const limited = async <T>(work: () => Promise<T>): Promise<T> => {
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
  return Object.assign(limited, { waiting: () => waiting.length })
}
