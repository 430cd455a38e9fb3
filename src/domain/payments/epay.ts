/** The protocol of Epay gateways: signed forms that browsers post, and their signed notices of payments. */
import { createHash } from 'node:crypto'
import { centsText } from '../../billing/top-up.ts'
import { NOTIFY_PATH, WALLET_PATH } from '../../contracts/payment.ts'
import { Refusal } from '../../contracts/refusal.ts'
import { isEqual } from '../../crypto/sealing.ts'
import { option } from '../options/index.ts'
import type { OrderRow } from './table.ts'

type Fields = Record<string, string>

/** What a browser posts to the gateway. */
export interface PayForm {
  url: string
  fields: Fields
}

const SIGN_TYPE = 'MD5'
const unsigned = ['sign', 'sign_type']

/** @throws Refusal `payment.no_server_address`: the Host header of a request must not be signed, its sender chooses it */
export function payFormOf(order: OrderRow): PayForm {
  const home = option('ServerAddress')
  if (!home) throw new Refusal('payment.no_server_address')
  const fields = {
    pid: order.pid,
    type: order.method,
    out_trade_no: order.trade_no,
    notify_url: (option('CustomCallbackAddress') || home) + NOTIFY_PATH,
    return_url: `${home}${WALLET_PATH}?order=${order.id}`,
    name: `TUC${order.amount}`,
    money: centsText(order.money_cents),
    device: 'pc',
    sign_type: SIGN_TYPE,
  }
  return { url: `${option('PayAddress')}/submit.php`, fields: signed(fields) }
}

/** Fields with the signature of the merchant key. */
export const signed = (fields: Fields): Fields => ({ ...fields, sign: signatureOf(fields) })

/** Whether the merchant key signed the fields; never without a key. */
export const isSigned = (fields: Fields): boolean =>
  option('EpayKey') !== '' && isEqual(fields.sign, signatureOf(fields)) && (fields.sign_type ?? SIGN_TYPE) === SIGN_TYPE

/** Lower-case hex MD5 of the fields that are not empty, sorted by bytes, and of the merchant key. */
function signatureOf(fields: Fields): string {
  const pairs = Object.entries(fields)
    .filter(([name, value]) => value !== '' && !unsigned.includes(name))
    .sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
  const text = pairs.map(([name, value]) => `${name}=${value}`).join('&')
  return createHash('md5')
    .update(text + option('EpayKey'))
    .digest('hex')
}
