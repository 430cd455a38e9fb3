/** iFlytek's signed URLs. https://www.xfyun.cn/doc/spark/general_url_authentication.html (read 2026-11) */
import { createHmac } from 'node:crypto'

export interface UrlSecrets {
  api_key: string
  api_secret: string
}

/** The URL with its signature, which is valid for 300 s around the date. @param at_ms Unix milliseconds */
export function signedUrl(url: string, { api_key, api_secret }: UrlSecrets, at_ms: number): string {
  const { host, pathname } = new URL(url)
  const date = new Date(at_ms).toUTCString()
  const text = `host: ${host}\ndate: ${date}\nGET ${pathname} HTTP/1.1`
  const signature = createHmac('sha256', api_secret).update(text).digest('base64')
  const origin = `api_key="${api_key}", algorithm="hmac-sha256", headers="host date request-line", signature="${signature}"`
  const query = { authorization: Buffer.from(origin).toString('base64'), date, host }
  return `${url}?${Object.entries(query)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&')}`
}
