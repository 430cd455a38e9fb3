/** Options in words: their names, and the units of their numbers. */
import type { Visit } from '../contracts/visit.ts'
import { labelOf, type OptionKey } from '../domain/options/index.ts'
import { type MessageKey, translator } from '../locales/index.ts'

/** The name of an option in messages. */
export const optionLabel = (key: OptionKey, { language }: Pick<Visit, 'language'>): string =>
  translator(language)(labelOf(key) as MessageKey)

export const units: Partial<Record<OptionKey, MessageKey>> = {
  QuotaPerUnit: 'settings.unit_quota_per_usd',
  RetryTimes: 'settings.unit_times',
  QuotaForNewUser: 'settings.unit_quota',
  PreConsumedQuota: 'settings.unit_tokens',
  DefaultMaxOutput: 'settings.unit_tokens',
  MinAffordableOutput: 'settings.unit_tokens',
  QuotaForInviter: 'settings.unit_quota',
  QuotaForInvitee: 'settings.unit_quota',
  FirstTokenQuota: 'settings.unit_quota',
  CheckInQuota: 'settings.unit_quota',
  CheckInMaxQuota: 'settings.unit_quota',
  RebatePercentage: 'settings.unit_percent',
  ChannelDisableThreshold: 'settings.unit_seconds',
  QuotaRemindThreshold: 'settings.unit_quota',
  ChannelTestIntervalMinutes: 'settings.unit_minutes',
  ChannelBalanceIntervalMinutes: 'settings.unit_minutes',
  LogRetentionDays: 'settings.unit_days',
  CallRecordDays: 'settings.unit_days',
  TaskDataRetentionDays: 'settings.unit_days',
  TaskRetentionDays: 'settings.unit_days',
  DataExportInterval: 'settings.unit_minutes',
  ModelRequestRateLimitCount: 'settings.unit_calls',
  ModelRequestRateLimitSuccessCount: 'settings.unit_calls',
  ModelRequestRateLimitDurationMinutes: 'settings.unit_minutes',
  UserConcurrencyLimit: 'settings.unit_calls',
  KeyConcurrencyLimit: 'settings.unit_calls',
  UserTokensPerMinute: 'settings.unit_tokens',
  KeyTokensPerMinute: 'settings.unit_tokens',
  QueueTimeout: 'settings.unit_seconds',
  QueueLength: 'settings.unit_calls',
  SettleAfterLeave: 'settings.unit_seconds',
  'general_setting.ping_interval_seconds': 'settings.unit_seconds',
  fallback_single_price: 'settings.unit_usd',
  fallback_input_ratio: 'settings.unit_ratio',
  fallback_completion_ratio: 'settings.unit_ratio',
  Price: 'settings.unit_cny_per_usd',
  TryItHourlyCalls: 'settings.unit_calls',
  TryItDailyQuota: 'settings.unit_quota',
  MinTopUp: 'settings.unit_usd',
}
