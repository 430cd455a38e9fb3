/** What an upstream said, with nothing in it that must not be seen: no key, no address. */
import type { ReadyChannel } from './ready.ts'

const SAID_MAX = 300

const addresses = /https?:\/\/[^\s"'<>]+|\b\d{1,3}(\.\d{1,3}){3}(:\d+)?\b|\[[0-9a-f:]{3,}\](:\d+)?/gi

export function harmless(said: string, { keys, base_url }: Pick<ReadyChannel, 'keys' | 'base_url'>): string {
  const host = URL.parse(base_url)?.hostname ?? ''
  const secrets = [...keys, host].filter(Boolean)
  return secrets
    .reduce((text, secret) => text.replaceAll(secret, '…'), said)
    .replace(addresses, '…')
    .slice(0, SAID_MAX)
}
