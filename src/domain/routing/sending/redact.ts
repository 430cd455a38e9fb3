/** Redacts an upstream's error for clients: keys, addresses and HTML pages are removed. */
import { providerOf } from '../../../providers/index.ts'
import type { Json } from '../../../pure/json.ts'
import type { RoutedChannel } from '../routed-channel.ts'
import { tokensOf } from './credential.ts'
import { HIDDEN, hideKeys } from './hide-keys.ts'

type Secrets = Pick<RoutedChannel, 'type' | 'keys' | 'base_url' | 'setting'>

/** The fields of an error that the upstream writes. */
interface ErrorTexts {
  message: string
  type: string
  code: string
  param: string | null
}

const TEXT_MAX = 500
/** What is read of a longer text: keys are hidden before the cut, which may divide one. */
const READ_MAX = 8192

const addresses = [
  /\b(?:https?|wss?):\/\/[^\s"'<>)]+/gi,
  /\bAIza[\w-]{6,}/g,
  // A JWT that is signed with the key.
  /\beyJ[\w-]+\.[\w-]+\.[\w-]+/g,
  /\bya29\.[\w.-]{6,}/g,
  /\b\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?\b/g,
  /\[?(?:[0-9a-f]{0,4}:){3,7}[0-9a-f]{0,4}\]?(?::\d+)?/gi,
]
const likelyKey = /\b(?:sk|pk|rk|xai|gsk|jina|key|org|proj|app)[-_][\w*.-]{4,}/gi
/** With a digit: codes such as `key_disabled` stay. */
const likelyKeyInCode = /\b(?:sk|pk|rk|xai|gsk|jina|key|org|proj|app)[-_](?=[\w*.-]*\d)[\w*.-]{8,}/gi

/** @returns at most 500 characters; empty for HTML */
export function redacted(text: string, channel: Secrets): string {
  if (text.trimStart().startsWith('<')) return ''
  return redactedBy([likelyKey, ...addresses], text, channel)
}

/** The same error without secrets. */
export const redactedError = <T extends ErrorTexts>(error: T, channel: Secrets): T => ({
  ...error,
  message: redacted(error.message, channel),
  type: redactedCode(error.type, channel),
  code: redactedCode(error.code, channel),
  param: error.param === null ? null : redactedCode(error.param, channel),
})

/** For names that programs read. */
export const redactedCode = (text: string, channel: Secrets): string =>
  text && redactedBy([likelyKeyInCode, ...addresses], text, channel)

/**
 * Whether nothing would be hidden of texts of any length.
 * @param text repeats what the client has sent, whose addresses are its own
 * @param words what the upstream says in it
 */
export const hasNoSecrets = (text: string, words: string, channel: Secrets): boolean =>
  withoutSecrets(text, channel) === text && [likelyKey, ...addresses].every(pattern => words.search(pattern) < 0)

function redactedBy(patterns: RegExp[], text: string, channel: Secrets): string {
  const read = text.length > READ_MAX ? text.slice(0, READ_MAX).replace(/\S+$/, '') : text
  const shown = withoutSecrets(read, channel).slice(0, TEXT_MAX)
  return patterns.reduce((rest, pattern) => rest.replace(pattern, HIDDEN), shown)
}

/** Hides the channel's own keys and hosts. */
function withoutSecrets(text: string, { type, keys: own, base_url, setting }: Secrets): string {
  const keys = [...own, ...tokensOf(providerOf(type), base_url, own)]
  const origins = providerOf(type)?.settingOrigins?.(setting as Json) ?? []
  return [base_url, setting.proxy, ...origins].reduce(hideHost, hideKeys(text, keys))
}

/** Hides a URL's host with the port behind it. */
function hideHost(text: string, url: string | undefined): string {
  const host = url && URL.parse(url)?.hostname
  return host ? text.replace(new RegExp(`${RegExp.escape(host)}(?::\\d{1,5})?`, 'gi'), HIDDEN) : text
}
