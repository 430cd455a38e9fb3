/** Where a channel's provider is. */
import type { Line } from './provider.ts'

/** Without a slash at its end. */
export const baseOf = (line: Line, base_url = ''): string => (line.base_url || base_url).replace(/\/+$/, '')

const cloudflareGateway = 'https://gateway.ai.cloudflare.com'

/** Bases that already name a version, and Cloudflare's gateway, are where the paths begin. */
export const under = (base: string, root: string): string =>
  /\/v\d+[a-z]*$/.test(base) || base.startsWith(cloudflareGateway) ? base : base + root
