/** Texts of mails, in the language of their reader: one layout for every kind, as plain text and as HTML. */
import { type MessageKey, translate } from '../../locales/index.ts'
import { type Language, languages } from '../../locales/languages.ts'
import type { MessageParams } from '../../locales/translator.ts'
import { option } from '../options/index.ts'

interface MailLayout {
  /** Shows the parameter `code`, large. */
  code?: true
  /** Shows the parameter `link` unless it is empty, as a button with this label and as text. */
  button?: MessageKey
}

/** The messages of a kind are `mail.<kind>_subject`, `mail.<kind>_intro` and `mail.<kind>_note`. */
const layouts = {
  code: { code: true },
  reset: { button: 'mail.reset_button' },
  browser: { button: 'mail.browser_button' },
  test: {},
  low_balance: { button: 'mail.low_balance_button' },
  budget_used: { button: 'mail.budget_used_button' },
  channel_closed: { button: 'mail.channels_button' },
  channel_reopened: { button: 'mail.channels_button' },
  channel_tests: { button: 'mail.channels_button' },
} satisfies Record<string, MailLayout>

type MailKind = keyof typeof layouts
/** Of mails that tell what has happened; webhooks have the same texts. */
export type NoticeKind = Exclude<MailKind, 'code' | 'reset' | 'browser' | 'test'>

export interface Mail {
  /** One address. */
  to: string
  kind: MailKind
  params?: MessageParams
  language: Language
}

/** What a mail says, from top to bottom. */
interface MailParts {
  site: string
  intro: string
  code?: string
  link?: { label: string; url: string; hint: string }
  note: string
}

/** @returns subject, plain text and HTML */
export function textOf({ kind, params = {}, language }: Mail) {
  const site = option('SystemName')
  const t = (key: MessageKey) => translate(language, key, { site, ...params })
  const { code, button }: MailLayout = layouts[kind]
  const parts: MailParts = {
    site,
    intro: t(`mail.${kind}_intro`),
    code: code && String(params.code),
    link:
      button && params.link ? { label: t(button), url: String(params.link), hint: t('mail.link_by_hand') } : undefined,
    note: t(`mail.${kind}_note`),
  }
  return { subject: t(`mail.${kind}_subject`), text: plainText(parts), html: html(parts, languages[language].tag) }
}

const plainText = ({ site, intro, code, link, note }: MailParts) =>
  [intro, code, link?.url, note, `-- \n${site}`].filter(part => part !== undefined).join('\n\n')

const SANS = "font-family:system-ui,-apple-system,'Segoe UI',Roboto,'PingFang SC','Microsoft YaHei',sans-serif"
const MONO = "font-family:ui-monospace,'SF Mono','Cascadia Mono',Menlo,Consolas,monospace"

/** The colours of the console. Mail clients that ignore the style sheet show the light ones, which are inline. */
const DARK = `@media (prefers-color-scheme:dark){
.page{background:#0b1014!important}.card{background:#12171b!important;border-color:#232a2f!important}
.ink{color:#e9e8e2!important}.ink-2{color:#b2b8bd!important}.well{background:#0b1014!important;border-color:#232a2f!important}
.button{background:#47c5d2!important;color:#0a131a!important}.link{color:#65d0dc!important}}`

/** A style sheet for dark clients, the rest inline; a table, since Outlook centres nothing else. */
const html = ({ site, intro, code, link, note }: MailParts, tag: string) => `<!doctype html>
<html lang="${tag}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${Bun.escapeHTML(site)}</title>
<style>:root{color-scheme:light dark}${DARK}</style>
</head>
<body class="page" style="margin:0;padding:0;background:#f6f5f2">
<table role="presentation" class="page" width="100%" cellpadding="0" cellspacing="0" style="background:#f6f5f2">
<tr><td align="center" style="padding:32px 16px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:480px">
<tr><td class="ink" style="padding:0 4px 16px;${SANS};font-size:16px;font-weight:600;color:#182029">${Bun.escapeHTML(site)}</td></tr>
<tr><td class="card" style="padding:28px 24px;background:#fcfcf9;border:1px solid #e6e4e0;border-radius:10px">
<p class="ink" style="margin:0;${SANS};font-size:16px;line-height:24px;color:#182029">${Bun.escapeHTML(intro)}</p>
${code === undefined ? '' : codeBlock(code)}${link ? linkBlock(link) : ''}
<p class="ink-2" style="margin:20px 0 0;${SANS};font-size:14px;line-height:20px;color:#464e57">${Bun.escapeHTML(note)}</p>
</td></tr></table>
</td></tr></table>
</body>
</html>
`

const codeBlock = (code: string) =>
  `<p class="well ink" style="margin:20px 0 0;padding:16px;background:#f6f5f2;border:1px solid #e6e4e0;border-radius:6px;text-align:center;${MONO};font-size:32px;line-height:40px;font-weight:600;letter-spacing:6px;color:#182029">${Bun.escapeHTML(code)}</p>`

const linkBlock = ({ label, url, hint }: NonNullable<MailParts['link']>) => {
  const href = Bun.escapeHTML(url)
  return `<p style="margin:20px 0 0"><a class="button" href="${href}" style="display:inline-block;padding:11px 20px;background:#006b81;border-radius:6px;${SANS};font-size:15px;line-height:20px;font-weight:600;color:#fcfcf9;text-decoration:none">${Bun.escapeHTML(label)}</a></p>
<p class="ink-2" style="margin:20px 0 0;${SANS};font-size:14px;line-height:20px;color:#464e57">${Bun.escapeHTML(hint)}<br><a class="link" href="${href}" style="color:#006b81;word-break:break-all">${href}</a></p>`
}
