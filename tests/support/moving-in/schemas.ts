/** Tables of new-api, one-api and Veloera, as far as moving in reads them, in the SQL of three engines. */

export type ForeignEngine = 'sqlite' | 'mysql' | 'postgres'
export type Gateway = 'new-api' | 'new-api-2025' | 'one-api' | 'veloera'

/** `int` has 32 bits where engines tell them apart; a number is the width of a padded text. */
type Type = 'id' | 'int' | 'whole' | 'text' | 'flag' | 'real' | 'time' | 'blob' | number

const words: Record<ForeignEngine, Record<Exclude<Type, number>, string>> = {
  sqlite: {
    ...{ id: 'integer primary key autoincrement', int: 'integer', whole: 'bigint', text: 'text', flag: 'numeric' },
    ...{ real: 'real', time: 'datetime', blob: 'blob' },
  },
  mysql: {
    ...{ id: 'bigint primary key auto_increment', int: 'int', whole: 'bigint', text: 'longtext', flag: 'tinyint(1)' },
    ...{ real: 'double', time: 'datetime(3)', blob: 'longblob' },
  },
  postgres: {
    ...{ id: 'bigserial primary key', int: 'integer', whole: 'bigint', text: 'text', flag: 'boolean' },
    ...{ real: 'numeric', time: 'timestamptz', blob: 'bytea' },
  },
}

type Columns = Record<string, Type>

const user: Columns = {
  ...{ id: 'id', username: 'text', password: 'text', display_name: 'text', role: 'int', status: 'int', email: 'text' },
  ...{ github_id: 'text', wechat_id: 'text', oidc_id: 'text', access_token: 32, quota: 'whole', used_quota: 'whole' },
  ...{ request_count: 'int', group: 'text', aff_code: 'text', inviter_id: 'int' },
}
const affiliates: Columns = { aff_count: 'int', aff_quota: 'int', aff_history: 'int' }
const newUser: Columns = {
  ...{ telegram_id: 'text', linux_do_id: 'text', ...affiliates, deleted_at: 'time', setting: 'text' },
  ...{ quota: 'int', used_quota: 'int' },
}

const token: Columns = {
  ...{ id: 'id', user_id: 'int', key: 48, status: 'int', name: 'text', created_time: 'whole', accessed_time: 'whole' },
  ...{ expired_time: 'whole', remain_quota: 'whole', unlimited_quota: 'flag', used_quota: 'whole' },
}
const newToken: Columns = {
  ...{ model_limits_enabled: 'flag', model_limits: 'text', allow_ips: 'text', group: 'text', deleted_at: 'time' },
}

const channel: Columns = {
  ...{ id: 'id', type: 'int', key: 'text', status: 'int', name: 'text', weight: 'int', created_time: 'whole' },
  ...{ test_time: 'whole', response_time: 'int', base_url: 'text', other: 'text', balance: 'real' },
  ...{ balance_updated_time: 'whole', models: 'text', group: 'text', used_quota: 'whole', model_mapping: 'text' },
  ...{ priority: 'whole' },
}
const newChannel: Columns = {
  ...{ openai_organization: 'text', test_model: 'text', status_code_mapping: 'text', auto_ban: 'int' },
  ...{ other_info: 'text', tag: 'text', setting: 'text', param_override: 'text' },
}

const redemption: Columns = {
  ...{ id: 'id', user_id: 'int', key: 32, status: 'int', name: 'text', quota: 'int', created_time: 'whole' },
  ...{ redeemed_time: 'whole' },
}

const log: Columns = {
  ...{ id: 'id', user_id: 'int', created_at: 'whole', type: 'int', content: 'text', username: 'text' },
  ...{ token_name: 'text', model_name: 'text', quota: 'int', prompt_tokens: 'int', completion_tokens: 'int' },
  ...{ is_stream: 'flag', channel_id: 'int' },
}
const newLog: Columns = { use_time: 'int', token_id: 'int', group: 'text', other: 'text' }

const drawing: Columns = {
  ...{ id: 'id', code: 'int', user_id: 'int', action: 'text', mj_id: 'text', prompt: 'text', prompt_en: 'text' },
  ...{ description: 'text', state: 'text', submit_time: 'whole', start_time: 'whole', finish_time: 'whole' },
  ...{ image_url: 'text', status: 'text', progress: 'text', fail_reason: 'text', channel_id: 'int', quota: 'int' },
  ...{ buttons: 'text', properties: 'text' },
}
const task: Columns = {
  ...{ id: 'id', created_at: 'whole', updated_at: 'whole', task_id: 'text', platform: 'text', user_id: 'int' },
  ...{ channel_id: 'int', quota: 'int', action: 'text', status: 'text', fail_reason: 'text', submit_time: 'whole' },
  ...{ start_time: 'whole', finish_time: 'whole', progress: 'text', properties: 'text', data: 'text' },
}

const options: Columns = { key: 100, value: 'text' }

const newApi2025 = {
  users: { ...user, ...newUser },
  tokens: { ...token, ...newToken },
  channels: { ...channel, ...newChannel },
  options,
  redemptions: { ...redemption, used_user_id: 'int', deleted_at: 'time' },
  logs: { ...log, ...newLog },
  midjourneys: drawing,
  tasks: task,
} satisfies Record<string, Columns>

export const schemas: Record<Gateway, Record<string, Columns>> = {
  'new-api-2025': newApi2025,
  'new-api': {
    ...newApi2025,
    users: { ...newApi2025.users, discord_id: 'text', remark: 'text', created_at: 'whole' },
    channels: {
      ...newApi2025.channels,
      channel_info: 'blob',
      settings: 'text',
      header_override: 'text',
      remark: 'text',
    },
    redemptions: { ...newApi2025.redemptions, expired_time: 'whole' },
    logs: { ...log, ...newLog, ip: 'text', request_id: 'text', upstream_request_id: 'text' },
    midjourneys: { ...drawing, video_url: 'text', video_urls: 'text', group: 'text' },
    tasks: { ...task, group: 'text', private_data: 'text' },
    two_fas: { id: 'id', user_id: 'int', secret: 'text', is_enabled: 'flag' },
    two_fa_backup_codes: { id: 'id', user_id: 'int', code_hash: 'text', is_used: 'flag' },
    passkey_credentials: {
      ...{ id: 'id', user_id: 'int', credential_id: 'text', public_key: 'text', sign_count: 'whole' },
      ...{ transports: 'text', created_at: 'time', deleted_at: 'time' },
    },
    checkins: { id: 'id', user_id: 'int', checkin_date: 'text', quota_awarded: 'int', created_at: 'whole' },
  },
  'one-api': {
    users: { ...user, lark_id: 'text' },
    tokens: { ...token, models: 'text', subnet: 'text' },
    channels: { ...channel, config: 'text', system_prompt: 'text' },
    options,
    redemptions: redemption,
    logs: { ...log, request_id: 'text', elapsed_time: 'whole' },
  },
  veloera: {
    ...newApi2025,
    users: { ...newApi2025.users, last_check_in_time: 'time' },
    tokens: {
      ...newApi2025.tokens,
      ...{ rate_limit_enabled: 'flag', rate_limit_period: 'int', rate_limit_count: 'int', rate_limit_success: 'int' },
    },
    channels: { ...newApi2025.channels, model_prefix: 'text', system_prompt: 'text' },
    redemptions: {
      ...newApi2025.redemptions,
      ...{ valid_from: 'whole', valid_until: 'whole', is_gift: 'flag', max_uses: 'int', used_count: 'int' },
    },
    redemption_logs: { id: 'id', redemption_id: 'int', user_id: 'int', used_time: 'whole' },
    messages: {
      ...{ id: 'id', title: 'text', content: 'text', format: 'text', created_at: 'time', updated_at: 'time' },
      created_by: 'int',
    },
    user_messages: { id: 'id', user_id: 'int', message_id: 'int', read_at: 'time', created_at: 'time' },
  },
}

export type Row = Record<string, string | number | boolean | Uint8Array | null>
export type Rows = Record<string, Row[]>

const quotes: Record<ForeignEngine, string> = { sqlite: '"', mysql: '`', postgres: '"' }

/** The statements that make the database of a gateway with these rows. */
export function* statementsOf(engine: ForeignEngine, gateway: Gateway, rows: Rows): Generator<string> {
  const quoted = (name: string) => quotes[engine] + name + quotes[engine]
  for (const [table, columns] of Object.entries(schemas[gateway])) {
    const types = Object.entries(columns).map(([name, type]) => `${quoted(name)} ${wordOf(engine, type)}`)
    yield `create table ${quoted(table)} (${types.join(', ')})`
    const all = rows[table] ?? []
    const names = Object.keys(columns)
    for (let at = 0; at < all.length; at += 500) {
      const values = all
        .slice(at, at + 500)
        .map(row => `(${names.map(name => literal(engine, columns[name]!, row[name])).join(',')})`)
      yield `insert into ${quoted(table)} (${names.map(quoted).join(', ')}) values ${values.join(',')}`
    }
  }
}

const wordOf = (engine: ForeignEngine, type: Type) =>
  typeof type === 'number' ? `${engine === 'mysql' ? 'var' : ''}char(${type})` : words[engine][type]

function literal(engine: ForeignEngine, type: Type, value: Row[string] | undefined): string {
  if (value === undefined || value === null) return 'null'
  if (value instanceof Uint8Array) {
    const hex = Buffer.from(value).toString('hex')
    return engine === 'postgres' ? `'\\x${hex}'` : `x'${hex}'`
  }
  if (type === 'flag') return engine === 'postgres' ? String(Boolean(value)) : String(Number(value))
  if (typeof value !== 'string') return String(value)
  const text = value.replaceAll("'", "''")
  return `'${engine === 'mysql' ? text.replaceAll('\\', '\\\\') : text}'`
}
