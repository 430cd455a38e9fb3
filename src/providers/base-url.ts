/** Where a channel's provider is. */
import type { UpstreamConfig } from './provider.ts'

/** Without a slash at its end. */
export const baseOf = (line: UpstreamConfig, base_url = ''): string => (line.base_url || base_url).replace(/\/+$/, '')

const VERSION = /\/v\d+[a-z]*$/

/** Where the paths begin: a base may name the version already. */
export const under = (base: string, root: string): string => (VERSION.test(base) ? base : base + root)

/** Where everything begins, the version too. */
export const above = (base: string): string => base.replace(VERSION, '')

/** Cloudflare's gateway knows by itself where OpenAI's paths begin, and Azure's. */
export const isCloudflare = (base: string): boolean => base.startsWith('https://gateway.ai.cloudflare.com')
