/** Base URLs of channels, with and without an API version at the end. */
import type { UpstreamConfig } from './upstream-config.ts'

const slashes = /\/+$/

/** The channel's base URL, or the provider's, without a slash at the end. */
export const baseUrlOf = ({ base_url }: UpstreamConfig, own = ''): string => (base_url || own).replace(slashes, '')

/** A model's name in a path: slashes and `@` stay, and no part of it leads to another folder. */
export const modelInPath = (model: string): string =>
  model
    .split('/')
    .filter(part => !/^\.{1,2}$/.test(part))
    .map(encodeURIComponent)
    .join('/')
    .replaceAll('%40', '@')

const VERSION = /\/v\d+[a-z]*$/

/** @param version is not added to a base URL that names one, such as `https://a.example/v2` */
export const withVersion = (base: string, version: string): string => (VERSION.test(base) ? base : base + version)

export const withoutVersion = (base: string): string => base.replace(VERSION, '')

/**
 * Cloudflare's gateway adds the first part of the path itself, for OpenAI and Azure.
 * https://developers.cloudflare.com/ai-gateway/ (read 2026-11)
 */
export const isCloudflare = (base: string): boolean => base.startsWith('https://gateway.ai.cloudflare.com')
