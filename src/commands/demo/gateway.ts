/** The demo's payment gateway: a cashier page at which no money moves. */
import { yuan } from '../../billing/top-up.ts'
import { isSigned, receivePayment, signed } from '../../domain/payments/index.ts'
import { translator } from '../../locales/index.ts'
import { type Language, languages } from '../../locales/languages.ts'
import { languageFor } from '../../web/request.ts'

type Fields = Record<string, string>

export const DEMO_MERCHANT = { EpayId: '1000', EpayKey: 'demo' }

/** Listens on a loopback port. @returns its base URL, by the name of the host whose cookie has the language of the console */
export function startDemoGateway(): string {
  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: respond })
  server.unref()
  return `http://localhost:${server.port}`
}

async function respond(request: Request): Promise<Response> {
  const order = Object.fromEntries(new URLSearchParams(await request.text()))
  if (!isSigned(order)) return new Response('wrong signature', { status: 400 })
  if (new URL(request.url).pathname === '/submit.php') return cashier(order, languageFor(request))
  await payOrder(order)
  return Response.redirect(order.return_url!, 303)
}

/** Pays an order, by the fields of its form. */
export const payOrder = (order: Fields, changes: Fields = {}) =>
  receivePayment(new URLSearchParams(signed({ ...noticeOf(order), ...changes })))

const noticeOf = ({ pid = '', type = '', out_trade_no = '', money = '' }: Fields) => ({
  pid,
  type,
  out_trade_no,
  money,
  trade_no: `demo-${out_trade_no.slice(-8)}`,
  trade_status: 'TRADE_SUCCESS',
})

function cashier(order: Fields, language: Language): Response {
  const t = translator(language)
  const sum = yuan(order.money!)
  return new Response(
    `<!doctype html>
<html lang="${languages[language].tag}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${t('payment.demo_title')}</title>
<style>
  :root { color-scheme: light dark; font: 16px/1.6 system-ui, sans-serif }
  body { max-width: 22rem; margin: 20vh auto; padding: 0 1rem }
  button { font: inherit; padding: .5rem 1.25rem; margin-right: 1rem }
</style>
<h1>${Bun.escapeHTML(sum)}</h1>
<p>${t('payment.demo_lead')}</p>
<form method="post" action="/paid">
${Object.entries(order)
  .map(([name, value]) => `<input type="hidden" name="${Bun.escapeHTML(name)}" value="${Bun.escapeHTML(value)}">`)
  .join('\n')}
<button>${Bun.escapeHTML(t('payment.pay_sum', { sum }))}</button>
<a href="${Bun.escapeHTML(order.return_url!)}">${t('payment.back')}</a>
</form>`,
    { headers: { 'content-type': 'text/html' } },
  )
}
