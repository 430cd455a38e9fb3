/** What makers of videos have in common on the wire. */
import type { ToldVideo, VideoCall } from './server.ts'

export type Words = Record<ToldVideo['status'], string>

export const gets = (pattern: RegExp) => (call: VideoCall) =>
  call.method === 'GET' ? pattern.exec(call.target)?.[1] : undefined

export const usual: Words = { queued: 'queued', running: 'running', done: 'succeeded', failed: 'failed' }
export const errorOf = (message: string, status = 400) => ({ status, body: { error: { message, code: 'refused' } } })
