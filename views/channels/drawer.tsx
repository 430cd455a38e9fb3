/** Drawer that creates or edits a channel. */
import { CheckField } from '../../client/components/choice.tsx'
import { Drawer, Fields } from '../../client/components/drawer.tsx'
import { TextField } from '../../client/components/field.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import type { Budget } from '../../src/contracts/budget.ts'
import { CHANNEL_NAME_MAX, type KeyState } from '../../src/contracts/channel.ts'
import type { ChannelListItem } from '../../src/contracts/channel-list.ts'
import type { ProviderChoice } from '../../src/contracts/provider-choice.ts'
import { BudgetList } from '../budgets/list.tsx'
import { Island } from '../layout/island.tsx'
import { Advanced } from './advanced.tsx'
import {
  AutoDisabledNote,
  type ChannelStateProps,
  CooldownNote,
  DeleteLink,
  EndedChannel,
  PhoneActions,
  PhoneForm,
} from './channel-state.tsx'
import { GroupChoice, type GroupChoiceProps } from './group-choice.tsx'
import { Keys, KeysForm } from './keys.tsx'
import { TestButton, TestOutcome, type TestResult } from './test-result.tsx'
import {
  budgetsOfChannels,
  type ChannelFormValues,
  type ChannelsView,
  channelAction,
  channelsAt,
  PRICES_PATH,
} from './view.ts'

interface StoredSettings {
  type: number
  base_url: string
  masked: string
  keys: KeyState[]
  guarded: boolean
}

export interface ChannelDrawerProps {
  view: ChannelsView
  /** The edited channel with masked keys; absent for a new one. */
  edited?: Omit<ChannelStateProps, 'view'> & Pick<ChannelListItem, 'ended'> & StoredSettings
  form: ChannelFormValues
  errors: Record<string, string | undefined>
  is_root: boolean
  providers: ProviderChoice[]
  groups: GroupChoiceProps['groups']
  /** Of the edited channel. */
  budgets: Budget[]
  /** The form's models without a price. */
  unpriced: string[]
  /** Result of the test of the typed values. */
  tested?: TestResult
}

export function ChannelDrawer(props: ChannelDrawerProps) {
  const { view, edited, form, errors, groups, unpriced, tested, budgets } = props
  const { t } = usePageContext()
  const state = edited && { ...edited, view }
  return (
    <>
      <Drawer
        wide
        title={edited ? t('channel.edit_title', { name: edited.name }) : t('channel.add')}
        close={channelsAt(view)}
        action={edited ? channelAction(edited.id, '', view) : channelsAt(view, 'new')}
        returnTo={channelsAt(view)}
        submit={edited ? t('ui.save') : t('channel.add')}
        footer={<Actions state={state} />}
        values={form}
        errors={errors}
      >
        {edited && <EndedChannel {...edited} />}
        {state && <AutoDisabledNote {...state} />}
        {state && <CooldownNote {...state} />}
        {state && <PhoneActions {...state} />}
        <ProviderFields {...props} />
        {edited && <Keys keys={edited.keys} />}
        <Fields title={t('channel.serving')}>
          <Island
            name="channel-models"
            about={edited?.id ?? 'new'}
            value={form.models ?? ''}
            error={errors.models}
            id={edited?.id}
            unpriced={unpriced}
            prices_path={PRICES_PATH}
          />
          <GroupChoice groups={groups} chosen={form.group ?? ''} error={errors.group} />
        </Fields>
        <RoutingFields />
        {edited && (
          <Fields title={t('budget.budgets')}>
            <BudgetList budgets={budgets} place={budgetsOfChannels(view)} of={edited.id} />
          </Fields>
        )}
        <Advanced
          about={edited?.id ?? 'new'}
          form={form}
          errors={errors}
          isShownAgain={Boolean(tested) || Object.keys(errors).length > 0}
          guard={<Guard {...props} />}
        />
        {tested && <TestOutcome result={tested} isClosed={Boolean(edited?.auto_disabled)} />}
      </Drawer>
      {state && <PhoneForm {...state} />}
      {state && <KeysForm {...state} />}
    </>
  )
}

function Actions({ state }: { state?: ChannelStateProps }) {
  return (
    <>
      <TestButton />
      {state && <DeleteLink {...state} />}
    </>
  )
}

function ProviderFields(props: ChannelDrawerProps) {
  const { edited, form, errors, providers } = props
  const { t } = usePageContext()
  const { name = '', type = '', base_url = '', other = '', key = '' } = form
  const { setting_dify_app: dify_app = '', setting_workspace: workspace = '', setting_routes: routes = '' } = form
  const { setting_mj_keep_mode: mj_keep_mode = '', setting_mj_notify: mj_notify = '' } = form
  return (
    <Fields title={t('channel.provider')}>
      <Island
        about={edited?.id ?? 'new'}
        name="channel-provider"
        providers={providers}
        values={{ name, type, base_url, other, key, dify_app, workspace, routes, mj_keep_mode, mj_notify }}
        name_max={CHANNEL_NAME_MAX}
        masked={edited ? shortened(edited.masked) : ''}
        isNew={!edited}
        errors={{
          name: errors.name,
          type: errors.type,
          key: errors.key,
          base_url: errors.base_url,
          other: errors.other,
          setting_dify_app: errors.setting_dify_app,
          setting_workspace: errors.setting_workspace,
          setting_routes: errors.setting_routes,
        }}
      />
      {/* A base URL that ends in /v1 is refused once and accepted when it is sent again. */}
      <input type="hidden" name="base_url_kept" value={form.base_url_kept ?? ''} />
      {/* Initial values: only changed fields are saved, so a concurrent change of another field stays. */}
      <input type="hidden" name="was" value={form.was ?? ''} />
      {!edited && <input type="hidden" name="form_id" value={form.form_id ?? ''} />}
    </Fields>
  )
}

/** Root decides about private addresses; an administrator reads that they are refused. */
function Guard({ is_root, edited }: ChannelDrawerProps) {
  const { t } = usePageContext()
  if (!is_root) return edited && !edited.guarded ? null : <p className="help">{t('channel.guarded_note')}</p>
  return <CheckField name="guarded" value="1" label={t('channel.guarded')} help={t('channel.guarded_help')} />
}

const KEYS_SHOWN = 3

/** For example `sk-a…9fQ2, sk-b…77Kp, sk-c…t4Rz +2`. */
function shortened(masked: string): string {
  const keys = masked.split(',')
  const rest = keys.length - KEYS_SHOWN
  return keys.slice(0, KEYS_SHOWN).join(', ') + (rest > 0 ? ` +${rest}` : '')
}

function RoutingFields() {
  const { t } = usePageContext()
  const priority = {
    label: t('channel.priority'),
    help: t('channel.priority_help'),
  }
  const weight = { label: t('channel.weight'), help: t('channel.weight_help') }
  return (
    <Fields title={t('channel.routing')}>
      <div className="grid grid-cols-2 gap-3">
        <TextField name="priority" {...priority} inputMode="numeric" number autoComplete="off" />
        <TextField name="weight" {...weight} inputMode="numeric" number autoComplete="off" />
      </div>
      <CheckField name="auto_ban" value="1" label={t('channel.auto_ban')} help={t('channel.auto_ban_help')} />
    </Fields>
  )
}
