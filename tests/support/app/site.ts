/** A site on a real server, made through its API: root signed in, one channel to an upstream, one unlimited key. */
import type { Upstream } from '../upstream/openai.ts'

/** The name of a database that is set up, beside those of the test files. */
export const setUpTemplate = 'set_up'

export const rootsCredentials = { username: 'root', password: 'opensesame' }

/** Answers the key that calls are made with. */
export async function makeSite(
  url: string,
  upstream: Pick<Upstream, 'url'>,
  models: string,
  fields: object = {},
): Promise<string> {
  await setUp(url)
  await addChannel(url, upstream, models, fields)
  const token = await post(url, '/api/token/', { name: 'key', unlimited_quota: true }, await signIn(url))
  return token.data.key
}

/** Makes root's account. */
export const setUp = (url: string) =>
  post(url, '/api/setup', { ...rootsCredentials, confirmPassword: rootsCredentials.password })

export async function addChannel(url: string, upstream: Pick<Upstream, 'url'>, models: string, fields: object = {}) {
  const channel = { name: 'mock', type: 1, key: 'sk-upstream', base_url: upstream.url, models, ...fields }
  await post(url, '/api/channel/', channel, await signIn(url))
}

export async function setOption(url: string, key: string, value: unknown) {
  await post(url, '/api/option/', { key, value }, await signIn(url), 'PUT')
}

async function signIn(url: string) {
  const { data, cookie } = await post(url, '/api/user/login', rootsCredentials)
  return { cookie, 'tollgate-user': String(data.id) }
}

async function post(url: string, path: string, body: object, session: Record<string, string> = {}, method = 'POST') {
  const response = await fetch(url + path, { method, headers: session, body: JSON.stringify(body) })
  const { success, message, data } = (await response.json()) as { success: boolean; message: string; data: any }
  if (!success) throw new Error(`${path}: ${message}`)
  return { data, cookie: response.headers.get('set-cookie')?.split(';')[0] ?? '' }
}

export interface Question {
  model: string
  content: string
  stream?: boolean
  max_tokens?: number
}

/** One chat call; whether the whole answer arrived, to its last byte. */
export async function ask(url: string, key: string, { content, ...question }: Question) {
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ...question, messages: [{ role: 'user', content }] }),
  })
  const text = await response.text()
  const whole = response.status === 200 && text.endsWith(question.stream ? 'data: [DONE]\n\n' : '}')
  return { status: response.status, whole, text }
}
