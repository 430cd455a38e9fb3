/** Calls through the gateway while the demo runs, so that its figures move. */
import { upstreamFetch } from '../../net/upstream-fetch.ts'
import { demoChannels } from './channel-list.ts'

/** Two calls a minute. */
const PAUSE_MS = 30_000
const models = ['gpt-5.4', 'claude-sonnet-4-6', 'gpt-4o-mini', 'gemini-2.5-pro', 'gpt-5-mini']

/** Ids follow the order of the list. */
const limited = demoChannels.findIndex(({ fault }) => fault === 'limit') + 1

/**
 * Each call is one of root's; beside it, one to the channel over its rate limit keeps that cooling down.
 * @param port of the gateway
 */
export function startTraffic(port: number, key: string) {
  let calls = 0
  const call = async () => {
    await chat(port, key, models[calls++ % models.length]!)
    await chat(port, `${key}-${limited}`, 'gpt-4o')
  }
  const next = () => void call().catch(() => undefined)
  next()
  setInterval(next, PAUSE_MS).unref()
}

async function chat(port: number, key: string, model: string) {
  const request = {
    url: `http://127.0.0.1:${port}/v1/chat/completions`,
    headers: { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, stream: true, messages: [{ role: 'user', content: 'How is the weather?' }] }),
  }
  const response = await upstreamFetch(request, new AbortController(), PAUSE_MS)
  await response.text()
}
