/**
 * Channel types that cannot be chosen yet, because the gateway lacks their formats. Each entry has the address where
 * its API is described; the first is https://github.com/novicezk/midjourney-proxy (read 2026-11).
 */
import { type Provider, provider } from './kit/provider.ts'

export const planned: readonly Provider[] = [
  // https://github.com/novicezk/midjourney-proxy
  provider({ type: 2, label: 'Midjourney Proxy', key_format: 'secret' }),
  // https://github.com/litter-coder/midjourney-proxy-plus
  provider({ type: 5, label: 'Midjourney Proxy Plus', key_format: 'secret' }),
]
