/**
 * A program: many callers with one key, who call one after the other at nodes in turn until its input ends. It writes
 * status and milliseconds of each call. A process has 256 requests at once unless its environment says otherwise.
 */
import { ask } from '../app/site.ts'

export interface Crowd {
  urls: string[]
  key: string
  model: string
  callers: number
  /** Of each caller; without it they call until they are ended. */
  calls_max?: number
}

export interface CrowdCall {
  status: number
  ms: number
}

/** @returns ends the crowd, and has its calls once all have ended */
export function startCrowd(crowd: Crowd): () => Promise<CrowdCall[]> {
  const child = Bun.spawn([process.execPath, import.meta.path, JSON.stringify(crowd)], {
    ...{ stdin: 'pipe', stdout: 'pipe', stderr: 'inherit' },
    env: { ...process.env, BUN_CONFIG_MAX_HTTP_REQUESTS: '65535' },
  })
  const calls = new Response(child.stdout).json() as Promise<CrowdCall[]>
  return async () => {
    child.stdin.end()
    return calls
  }
}

if (import.meta.main) {
  const { urls, key, model, callers, calls_max = Number.POSITIVE_INFINITY } = JSON.parse(process.argv[2]!) as Crowd
  let isOver = false
  void Bun.stdin.text().then(() => {
    isOver = true
  })
  const calls: CrowdCall[] = []
  let turn = 0
  const caller = async () => {
    for (let count = 0; count < calls_max && !isOver; count++) {
      const start = performance.now()
      const { status } = await ask(urls[turn++ % urls.length]!, key, { model, content: 'Hi', max_tokens: 10 })
      calls.push({ status, ms: performance.now() - start })
    }
  }
  await Promise.all(Array.from({ length: callers }, caller))
  process.stdout.write(JSON.stringify(calls))
  process.exit(0)
}
