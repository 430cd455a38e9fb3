/** Announcements: a lower noun names what has happened, and does not know its listeners. */
import { log, reason } from './log.ts'

export interface Announcement<T> {
  /** Calls every listener in this tick. A listener that fails is logged and hinders nothing. */
  announce(event: T): void
  listen(listener: (event: T) => void): void
}

export function announcement<T>(name: string): Announcement<T> {
  const listeners: ((event: T) => void)[] = []
  return {
    announce(event) {
      for (const listener of listeners) {
        try {
          listener(event)
        } catch (error) {
          log.error('listener failed', { name, reason: reason(error) })
        }
      }
    },
    listen: listener => void listeners.push(listener),
  }
}
