/** Sign-in with Telegram's login widget. https://core.telegram.org/widgets/login#checking-authorization (read 2026-11) */
import { createHash, createHmac } from 'node:crypto'
import { issueSecret } from '../../cluster/one-time.ts'
import type { TelegramFields } from '../../contracts/oauth.ts'
import { Refusal } from '../../contracts/refusal.ts'
import { isEqual } from '../../crypto/sealing.ts'
import { now } from '../../process/clock.ts'
import { option } from '../options/index.ts'
import type { LoginIdentity, LoginProvider } from './provider.ts'

const AGE_MAX_SECONDS = 300
/** Telegram's clock may be ahead of ours. */
const AHEAD_MAX_SECONDS = 60

export const telegram: LoginProvider = {
  name: 'telegram',
  column: 'telegram_id',
  isEnabled: ({ value }) => value('TelegramOAuthEnabled') && value('TelegramBotToken') !== '',
}

/** @throws Refusal `oauth.telegram_invalid` for altered, old and used fields */
export async function identityByTelegram({ hash, lang, ...signed }: TelegramFields): Promise<LoginIdentity> {
  const age = now() - Number(signed.auth_date)
  const isFresh = age <= AGE_MAX_SECONDS && age >= -AHEAD_MAX_SECONDS
  if (!isEqual(hash, signatureOf(signed)) || !isFresh || !(await isFirstUse(hash)))
    throw new Refusal('oauth.telegram_invalid')
  return { provider: 'telegram', column: 'telegram_id', id: signed.id }
}

function signatureOf(fields: Record<string, string | undefined>): string {
  const lines = Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${value}`)
    .sort()
  const key = createHash('sha256').update(option('TelegramBotToken')).digest()
  return createHmac('sha256', key).update(lines.join('\n')).digest('hex')
}

/** Keeps each hash for as long as its fields are fresh: of two uses only one is the first. */
async function isFirstUse(hash: string): Promise<boolean> {
  const seconds = AGE_MAX_SECONDS + AHEAD_MAX_SECONDS + 1
  const wait = await issueSecret({
    purpose: 'telegram',
    subject: hash,
    secret: hash,
    seconds,
    spacing_seconds: seconds,
  })
  return wait === 0
}
