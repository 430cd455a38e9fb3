/** A site on a real server, made through its API: root signed in, one channel to an upstream, one unlimited key. */
import type { Upstream } from './upstream.ts'

export const rootsCredentials = { username: 'root', password: 'opensesame' }

/** Answers the key that calls are made with. */
export async function makeSite(url: string, upstream: Upstream, models: string): Promise<string> {
  let session: Record<string, string> = {}
  const post = async (path: string, body: object) => {
    const response = await fetch(url + path, { method: 'POST', headers: session, body: JSON.stringify(body) })
    const { success, message, data } = (await response.json()) as { success: boolean; message: string; data: any }
    if (!success) throw new Error(`${path}: ${message}`)
    return { data, cookie: response.headers.get('set-cookie')?.split(';')[0] ?? '' }
  }
  await post('/api/setup', { ...rootsCredentials, confirmPassword: rootsCredentials.password })
  const { data, cookie } = await post('/api/user/login', rootsCredentials)
  session = { cookie, 'tollgate-user': String(data.id) }
  await post('/api/channel/', { name: 'mock', type: 1, key: 'sk-upstream', base_url: upstream.url, models })
  const token = await post('/api/token/', { name: 'key', unlimited_quota: true })
  return token.data.key
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
