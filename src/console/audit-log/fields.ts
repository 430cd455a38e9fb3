/** Fields of the audit log by the kind of thing: their names, and how their values are written. */
import type { FieldKind } from '../../contracts/fields.ts'
import { codeFields } from '../../contracts/redemption.ts'
import type { MessageKey } from '../../locales/index.ts'
import {
  budgetName,
  channelStatus,
  codeStatus,
  flag,
  keys,
  moment,
  plain,
  provider,
  quota,
  reason,
  role,
  secret,
  userStatus,
  uses,
  type Write,
} from './values.ts'

export interface AuditField {
  label: MessageKey
  write: Write
}

const of = (label: MessageKey, write: Write = plain): AuditField => ({ label, write })

/** Whole numbers of codes are limits. */
const ofKind: Record<FieldKind, Write> = { line: plain, flag, amount: quota, whole: uses, moment }

/** Each field that is declared has a message of its name. */
function ofCodes(): Record<string, AuditField> {
  const names = Object.keys(codeFields.fields) as (keyof typeof codeFields.fields)[]
  return Object.fromEntries(names.map(name => [name, of(`redemption.${name}`, ofKind[codeFields.fields[name].kind])]))
}

export const fields: Record<string, Record<string, AuditField> | undefined> = {
  channel: {
    name: of('channel.name'),
    type: of('channel.provider', provider),
    key: of('channel.of_keys', secret),
    status: of('channel.state', channelStatus),
    other_info: of('audit.reason', reason),
    enabled_keys: of('audit.auto_disabled_keys', keys),
    base_url: of('provider.base_url'),
    guarded: of('audit.guarded', flag),
    other: of('audit.provider_setting'),
    setting: of('audit.settings', secret),
    openai_organization: of('channel.openai_organization'),
    models: of('channel.models'),
    group: of('channel.groups'),
    model_mapping: of('mapping.model_mapping'),
    status_code_mapping: of('mapping.status_code_mapping'),
    model_prefix: of('channel.model_prefix'),
    param_override: of('drawer.params'),
    system_prompt: of('channel.system_prompt'),
    test_model: of('channel.test_model'),
    tag: of('channel.tag'),
    priority: of('channel.priority'),
    weight: of('channel.weight'),
    auto_ban: of('audit.auto_ban', flag),
    max_input_tokens: of('channel.max_input_tokens'),
    abilities: of('audit.routes'),
  },
  user: {
    username: of('user.username'),
    display_name: of('user.display_name'),
    password: of('user.password', secret),
    role: of('user.role', role),
    status: of('user.state', userStatus),
    group: of('user.group'),
    quota: of('user.balance', quota),
    concurrency_limit: of('user.concurrency'),
    tokens_per_minute: of('user.tokens_per_minute'),
    remark: of('user.remark'),
    deleted_time: of('user.gone', moment),
  },
  redemption: {
    ...ofCodes(),
    status: of('redemption.state', codeStatus),
    count: of('redemption.how_many'),
  },
  budget: {
    ...{ name: of('budget.name', budgetName), owner: of('budget.owner'), owner_id: of('budget.owner_id') },
    ...{ models: of('budget.models'), unit: of('budget.unit'), amount: of('budget.amount') },
    ...{ window: of('budget.window'), seconds: of('budget.seconds'), anchor: of('budget.anchor') },
    ...{ zone: of('budget.zone'), refuses: of('budget.refuses', flag), per_key: of('budget.per_key', flag) },
  },
  message: {
    title: of('message.title'),
    content: of('message.content'),
    format: of('message.format'),
    recipients: of('message.recipients'),
  },
  payment: {
    user: of('user.user'),
    quota: of('payment.amount', quota),
    money: of('payment.paid_sum'),
    remark: of('payment.remark'),
  },
  task: { status: of('audit.task_state'), refunded: of('audit.refunded', flag) },
  log: { before: of('audit.cleared_before', moment), entries: of('audit.entries') },
}
