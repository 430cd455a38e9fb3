/** Channels that err when they are asked for tasks: each time they are left alone for twice as long. */
import { now_ms } from '../../process/clock.ts'
import { store } from '../../process/stores.ts'

const FIRST_MS = 15_000
const LAST_MS = 300_000

interface BackOff {
  pause_ms: number
  until_ms: number
}

const byChannel = store('task-back-offs', new Map<number, BackOff>())

export const isBackingOff = (channel_id: number): boolean => (byChannel.get(channel_id)?.until_ms ?? 0) > now_ms()

/** Requests that were under way together count once. */
export function backOff(channel_id: number) {
  if (isBackingOff(channel_id)) return
  const pause_ms = Math.min((byChannel.get(channel_id)?.pause_ms ?? FIRST_MS / 2) * 2, LAST_MS)
  byChannel.set(channel_id, { pause_ms, until_ms: now_ms() + pause_ms })
}

export const isWell = (channel_id: number) => void byChannel.delete(channel_id)
