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
  void submitTasks(port, key).catch(() => undefined)
}

const drawings = ['A toll gate at dawn, ink and wash', 'A toll gate without a road', 'Lanterns along a river, woodcut']
const songs = [
  ['music', { prompt: 'The night is long, the gate is low', title: 'Night toll', tags: 'folk, slow' }],
  ['lyrics', { prompt: 'Verses about a gate by a river' }],
] as const

/** Drawings, songs and a video: their pages show them from the first to the last state. */
async function submitTasks(port: number, key: string) {
  for (const prompt of drawings) await send(port, key, '/mj/submit/imagine', { prompt })
  for (const [kind, body] of songs) await send(port, key, `/suno/submit/${kind}`, body)
  await send(port, key, '/v1/videos', { model: 'sora-2', prompt: 'A gate opens at dawn', seconds: '4' })
}

async function chat(port: number, key: string, model: string) {
  const messages = [{ role: 'user', content: 'How is the weather?' }]
  await send(port, key, '/v1/chat/completions', { model, stream: true, messages })
}

async function send(port: number, key: string, path: string, body: object) {
  const request = {
    url: `http://127.0.0.1:${port}${path}`,
    headers: { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  }
  const response = await upstreamFetch(request, new AbortController(), PAUSE_MS)
  await response.text()
}
