/** Channels that are not saved yet: completed from the stored one, and tested. A stored key goes to its own host only. */
import { eq } from 'drizzle-orm'
import type { Actor } from '../../../contracts/actor.ts'
import { ChannelStatus, type UnsavedChannel, type UnsavedTest } from '../../../contracts/channel.ts'
import { notFound } from '../../../contracts/refusal.ts'
import { db } from '../../../db/database.ts'
import { textOf } from '../../../locales/index.ts'
import type { Language } from '../../../locales/languages.ts'
import { channelById, keysOf, maskKey, type RoutedChannel, routedOf } from '../../routing/index.ts'
import { isGuarded } from '../config/address-guard.ts'
import { checkSameDestination, flawsOf } from '../config/validate.ts'
import { type ChannelRow, channels } from '../table.ts'
import { probe } from './probe.ts'
import { failureOf, firstModel } from './test.ts'

/** Keys that one test of an unsaved channel sends. */
const KEYS_TESTED_MAX = 10
const MS_PER_SECOND = 1000

/** Tests the typed values; nothing is stored or logged. @throws Refusal at the field that cannot be used */
export async function testUnsaved(given: UnsavedChannel, actor: Actor, language: Language): Promise<UnsavedTest> {
  const { channel: typed, row, stored } = await withUnsaved(given)
  const [flaw] = flawsOf(row)
  if (flaw) throw flaw
  const channel = { ...typed, guarded: isGuarded(actor, given.guarded, stored, row) }
  const model = firstModel(channel)
  const keys = channel.keys.slice(0, KEYS_TESTED_MAX)
  const probes = await Promise.all(keys.map(key => probe(channel, key, model)))
  const failed = probes.find(result => result.failure)
  return {
    ok: !failed,
    message: failed ? textOf(language, failureOf(failed, channel)) : '',
    seconds: Math.max(...probes.map(result => result.ms)) / MS_PER_SECOND,
    model,
    tested: keys.length,
    keys: channel.keys.length,
  }
}

const blank = {
  id: 0,
  name: '',
  status: ChannelStatus.enabled,
  base_url: '',
  guarded: false,
  other: '',
  openai_organization: '',
  models: '',
  group: '',
  model_mapping: '',
  status_code_mapping: '',
  model_prefix: '',
  param_override: '',
  setting: '',
  system_prompt: '',
  test_model: '',
  tag: '',
  priority: 0,
  weight: 0,
  auto_ban: 1,
  max_input_tokens: 0,
  used_quota: 0,
  response_time: 0,
  test_time: 0,
  test_failure: '',
  balance: 0,
  balance_updated_time: 0,
  other_info: '',
  created_time: 0,
}

interface ChannelDraft {
  channel: RoutedChannel
  row: Omit<ChannelRow, 'key_sealed'> & { key?: string }
  /** The channel that the values change; undefined for a new one. */
  stored: ChannelRow | undefined
}

/**
 * The channel as it would be after a save. Without a typed key it has the enabled keys of the stored channel.
 * @throws Refusal 404, or 400 when the stored keys would be sent to another host
 */
export async function withUnsaved({ id, key = '', ...given }: UnsavedChannel): Promise<ChannelDraft> {
  const [stored] = id ? await db.select().from(channels).where(eq(channels.id, id)) : []
  if (id && !stored) throw notFound()
  const { key_sealed: _, ...before } = stored ?? { ...blank, type: given.type, key_sealed: '' }
  const row = { ...before, ...given }
  const own = (stored && (await channelById(stored.id))) || undefined
  const isTyped = !own || (key !== '' && key !== own.keys.map(maskKey).join(','))
  if (isTyped) return { channel: routedOf(row, keysOf(key, row.type)), row: { ...row, key }, stored }
  checkSameDestination(stored!, row)
  return { channel: routedOf(row, own.good_keys), row, stored }
}
