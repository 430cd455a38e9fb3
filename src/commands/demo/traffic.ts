/** Calls and tasks through the gateway while the demo runs, so that its figures move. */
import { upstreamFetch } from '../../net/upstream-fetch.ts'
import { demoChannels } from './channel-list.ts'

/** Three calls a minute of each caller. */
const PAUSE_MS = 20_000
const models = ['claude-sonnet-4-6', 'gpt-5.4', 'claude-haiku-4-5', 'gpt-4o-mini', 'claude-sonnet-4-6']

/** Ids follow the order of the list. */
const limited = demoChannels.findIndex(({ fault }) => fault === 'limit') + 1

/**
 * Calls of root and of a customer; beside them, one to the channel over its rate limit keeps that cooling down.
 * @param port of the gateway
 * @param keys of root and of a customer
 */
export function startTraffic(port: number, keys: string[]) {
  startTasks(port, keys)
  const [key = ''] = keys
  let calls = 0
  const call = async () => {
    const model = models[calls++ % models.length]!
    await Promise.all(keys.map(key => chat(port, key, model)))
    await chat(port, `${key}-${limited}`, 'gpt-4o')
  }
  const next = () => void call().catch(() => undefined)
  next()
  setInterval(next, PAUSE_MS).unref()
}

const chat = (port: number, key: string, model: string) =>
  post({ port, key }, '/v1/chat/completions', {
    ...{ model, stream: true, messages: [{ role: 'user', content: 'How is the weather?' }] },
  })

/** One of each kind and outcome, then one every five minutes. */
const TASK_PAUSE_MS = 300_000
const tasks: [path: string, body: object][] = [
  ['/mj/submit/imagine', { prompt: 'A toll gate at dawn, woodcut --ar 1:1' }],
  ['/suno/submit/music', { prompt: 'The barrier lifts at dawn', title: 'Toll', tags: 'folk, acoustic' }],
  ['/v1/videos', { model: 'sora-2', prompt: 'A barrier lifts before the rising sun', seconds: '4', size: '1280x720' }],
  ['/mj/submit/imagine', { prompt: 'A gate that will fail' }],
  ['/suno/submit/lyrics', { prompt: 'Rain on a toll gate' }],
  ['/mj-turbo/mj/submit/imagine', { prompt: 'Bridges of glass over a quiet river' }],
  ['/v1/videos', { model: 'sora-2', prompt: 'A car that fails to pay', seconds: '8', size: '720x1280' }],
]

function startTasks(port: number, keys: string[]) {
  let submitted = 0
  const submit = (key: string) => {
    const [path, body] = tasks[submitted++ % tasks.length]!
    return post({ port, key }, path, body)
  }
  const each = async () => {
    for (const key of keys) await submit(key)
  }
  void Promise.all(keys.flatMap(key => tasks.map(([path, body]) => post({ port, key }, path, body)))).catch(
    () => undefined,
  )
  setInterval(() => void each().catch(() => undefined), TASK_PAUSE_MS).unref()
}

async function post({ port, key }: { port: number; key: string }, path: string, body: object) {
  const request = {
    url: `http://127.0.0.1:${port}${path}`,
    headers: { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  }
  const response = await upstreamFetch(request, new AbortController(), PAUSE_MS)
  await response.text()
}
