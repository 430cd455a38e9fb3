/** Drawer that creates tokens or edits one. */
import Plus from 'lucide/dist/esm/icons/plus.mjs'
import { AmountField } from '../../client/components/amount-field.tsx'
import { CheckField } from '../../client/components/choice.tsx'
import { Drawer, Fields } from '../../client/components/drawer.tsx'
import { AreaField, type Preset, TextField } from '../../client/components/field.tsx'
import { Icon } from '../../client/components/icon.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { balanceText, toQuota } from '../../src/billing/quota.ts'
import type { Budget } from '../../src/contracts/budget.ts'
import type { ChatLink } from '../../src/contracts/chat.ts'
import type { GroupOffer } from '../../src/contracts/pricing.ts'
import { TOKEN_NAME_MAX, type Token } from '../../src/contracts/token.ts'
import { grouped } from '../../src/pure/number.ts'
import { exact } from '../../src/pure/time.ts'
import { LimitField } from '../budgets/limit-field.tsx'
import { BudgetList } from '../budgets/list.tsx'
import { Island } from '../layout/island.tsx'
import { FallbackGroups } from './fallback-groups.tsx'
import { FallbackModels } from './fallback-models.tsx'
import { GroupField } from './group-field.tsx'
import { TokenActions, TokenForms } from './token-actions.tsx'
import { budgetsOfTokens, type TokensView, tokensAction, tokensAt } from './view.ts'

/** Form values by field name, as typed. */
export type TokenFormValues = Record<string, string>

export interface TokenDrawerProps {
  view: TokensView
  /** The edited token; absent for a new one. */
  token?: Token
  form: TokenFormValues
  errors: Record<string, string | undefined>
  groups: Record<string, GroupOffer>
  ownGroup: string
  /** Quota of the owner. */
  balance: number
  /** Of the edited token. */
  budgets: Budget[]
  /** What the key can be opened in. */
  chats: ChatLink[]
}

export function TokenDrawer(props: TokenDrawerProps) {
  const { view, token, form, errors, groups, ownGroup, balance, budgets, chats } = props
  const { t } = usePageContext()
  const drawer = (
    <Drawer
      title={token ? t('token.edit_named', { name: token.name }) : t('token.create')}
      close={tokensAt(view)}
      action={token ? tokensAction(view, String(token.id)) : tokensAt(view, 'new')}
      returnTo={tokensAt(view)}
      submit={token ? t('ui.save') : t('token.create')}
      values={form}
      errors={errors}
    >
      {token && <TokenActions token={token} view={view} chats={chats} />}
      <Fields title={t('token.token')}>
        <TextField
          name="name"
          label={t('token.name')}
          required
          maxLength={TOKEN_NAME_MAX}
          autoComplete="off"
          autoFocus={Object.keys(errors).length === 0 || errors.name !== undefined}
        />
        <GroupField groups={groups} ownGroup={ownGroup} chosen={form.group ?? ''} />
        <FallbackGroups groups={groups} chosen={form.fallback_groups ?? ''} error={errors.fallback_groups} />
        <FallbackModels about={token?.id ?? 'new'} value={form.fallback_models ?? ''} error={errors.fallback_models} />
        {!token && <HowMany open={errors.count !== undefined || (form.count ?? '1') !== '1'} />}
      </Fields>
      <Fields title={t('token.quota_and_expiry')}>
        <QuotaField balance={balance} token={token} />
        <CheckField name="unlimited_quota" label={t('token.unlimited_explained')} />
        <LimitField help={t('budget.limit_help_token')} />
        <ExpiryField />
      </Fields>
      {token && (
        <Fields title={t('budget.budgets')}>
          <BudgetList budgets={budgets} place={budgetsOfTokens(view)} of={token.id} />
        </Fields>
      )}
      <Fields title={t('token.limits')}>
        <div className="group grid gap-3.5">
          <CheckField name="rate_limit_enabled" label={t('token.limit_rate')} />
          <RateFields />
        </div>
        <TextField
          name="tokens_per_minute"
          label={t('token.tokens_per_minute')}
          placeholder={t('budget.no_limit')}
          number
          inputMode="numeric"
          autoComplete="off"
          help={t('token.tokens_per_minute_help')}
        />
        <TextField
          name="concurrency_limit"
          label={t('token.concurrency')}
          placeholder={t('budget.no_limit')}
          number
          inputMode="numeric"
          autoComplete="off"
          help={t('token.concurrency_help')}
        />
        <Island
          name="token-models"
          field="model_limits"
          about={token?.id ?? 'new'}
          value={form.model_limits ?? ''}
          error={errors.model_limits}
        />
        <AreaField
          name="allow_ips"
          label={t('token.allow_ips')}
          mono
          rows={2}
          placeholder={t('token.allow_ips_hint')}
          spellCheck={false}
        />
      </Fields>
      {/* Initial values: an unchanged quota is not saved, so concurrent usage stays counted. */}
      <input type="hidden" name="remain_quota_was" value={form.remain_quota_was ?? ''} />
      <input type="hidden" name="used_quota" value={form.used_quota ?? ''} />
      {!token && <input type="hidden" name="form_id" value={form.form_id ?? ''} />}
    </Drawer>
  )
  if (!token) return drawer
  return (
    <>
      {drawer}
      <TokenForms token={token} returnTo={tokensAt(view)} />
    </>
  )
}

const countPresets: Preset[] = ['10', '20', '30', '100'].map(count => ({ value: count, label: count }))

function HowMany({ open }: { open: boolean }) {
  const { t } = usePageContext()
  return (
    <details className="added" open={open}>
      <summary>
        <Icon of={Plus} small />
        {t('token.create_several')}
      </summary>
      <TextField
        name="count"
        label={t('token.how_many')}
        number
        inputMode="numeric"
        presets={countPresets}
        autoComplete="off"
      />
    </details>
  )
}

/** Of a token that exists: what is left, which the buttons add to. */
function QuotaField({ balance, token }: Pick<TokenDrawerProps, 'balance' | 'token'>) {
  const { t, currency } = usePageContext()
  const facts = {
    unit: grouped(toQuota(1, { ...currency, display_in_currency: true })),
    balance: balanceText(balance, currency),
  }
  const help = t('token.quota_help', facts)
  if (!token) return <AmountField name="remain_quota" label={t('token.quota')} help={help} />
  const was = token.unlimited_quota ? '' : t('token.was', { amount: balanceText(token.remain_quota, currency) })
  return <AmountField adds name="remain_quota" label={t('token.left')} help={`${was} ${help}`.trim()} />
}

const HOUR = 3600
const DAY = 24 * HOUR
const MONTH = 30 * DAY

function ExpiryField() {
  const { t, now, zone } = usePageContext()
  const presets = [
    { value: '', label: t('time.never') },
    { value: exact(now + HOUR, zone), label: t('token.one_hour') },
    { value: exact(now + DAY, zone), label: t('token.one_day') },
    { value: exact(now + MONTH, zone), label: t('token.one_month') },
  ]
  return (
    <TextField
      name="expired_time"
      label={t('token.expires')}
      placeholder={t('time.never')}
      autoComplete="off"
      presets={presets}
    />
  )
}

/** Shown when the rate limit is on, or when one of these fields has an error. */
function RateFields() {
  const { t } = usePageContext()
  return (
    <div className="hidden group-has-[:checked]:grid group-has-[[aria-invalid]]:grid grid-cols-3 gap-3">
      <TextField
        name="rate_limit_period"
        label={t('token.period')}
        unit={t('token.seconds')}
        number
        inputMode="numeric"
      />
      <TextField name="rate_limit_count" label={t('token.calls')} number inputMode="numeric" />
      <TextField name="rate_limit_success" label={t('token.successes')} number inputMode="numeric" />
      <p className="help m-0 col-span-3">{t('token.rate_help')}</p>
    </div>
  )
}
