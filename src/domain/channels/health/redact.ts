/** Redacts an upstream's message for clients: keys, addresses and HTML pages are removed. */
import type { RoutedChannel } from '../routing/routing-table.ts'

const TEXT_MAX = 500
const KEY_MIN = 6
const HIDDEN = '***'

const secrets = [
  /\b(?:https?|wss?):\/\/[^\s"'<>)]+/gi,
  /\b(?:sk|pk|rk|xai|gsk|jina|key|org|proj|app)[-_][\w*.-]{4,}/gi,
  /\bAIza[\w-]{6,}/g,
  /\b\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?\b/g,
  /\[?(?:[0-9a-f]{0,4}:){3,7}[0-9a-f]{0,4}\]?(?::\d+)?/gi,
]

/** @returns at most 500 characters; empty for HTML */
export function redacted(text: string, { keys, base_url }: Pick<RoutedChannel, 'keys' | 'base_url'>): string {
  if (text.trimStart().startsWith('<')) return ''
  const host = URL.parse(base_url)?.hostname
  // Before the cut: half a key at the end would not be recognised.
  let shown = text
  for (const secret of [...keys.filter(key => key.length >= KEY_MIN), ...(host ? [host] : [])]) {
    shown = shown.replaceAll(secret, HIDDEN)
  }
  return secrets.reduce((rest, pattern) => rest.replace(pattern, HIDDEN), shown.slice(0, TEXT_MAX))
}
