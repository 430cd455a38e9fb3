/** Making a channel and changing one: the same fields. */
import type { ProviderChoice } from '../../client/channels/provider.tsx'
import { Tag } from '../../client/parts/badge.tsx'
import { CheckField } from '../../client/parts/choice.tsx'
import { Drawer, Fields } from '../../client/parts/drawer.tsx'
import { ErrorText, TextField } from '../../client/parts/field.tsx'
import { Go } from '../../client/parts/link.tsx'
import { useReader } from '../../client/parts/reader.tsx'
import { CHANNEL_NAME_MAX, PRIORITY_MAX, PRIORITY_MIN, WEIGHT_MAX } from '../../src/contracts/channel.ts'
import { Island } from '../island.tsx'
import { Advanced } from './advanced.tsx'
import { type ChannelsView, channelsAt } from './view.ts'

/** Fields by name, as a person types them. */
export type ChannelTyped = Record<string, string>

export interface ChannelDrawerProps {
  view: ChannelsView
  /** The channel that is edited; absent for a new one. */
  edited?: { id: number; name: string; masked: string }
  typed: ChannelTyped
  errors: Record<string, string | undefined>
  providers: ProviderChoice[]
  groups: { name: string; ratio: number }[]
}

export function ChannelDrawer({ view, edited, typed, errors, providers, groups }: ChannelDrawerProps) {
  const { t } = useReader()
  return (
    <Drawer
      wide
      title={edited ? t('channel.edit_title', { name: edited.name }) : t('channel.add')}
      close={channelsAt(view)}
      action={channelsAt(view, edited ? { edit: edited.id } : 'new')}
      returnTo={channelsAt(view)}
      submit={edited ? t('part.save') : t('channel.add')}
      footer={edited && <DeleteLink href={channelsAt(view, { delete: edited.id })} />}
      values={typed}
      errors={errors}
    >
      <Fields title={t('channel.provider')}>
        <TextField
          name="name"
          label={t('channel.name')}
          required
          maxLength={CHANNEL_NAME_MAX}
          autoComplete="off"
          autoFocus
        />
        <Island
          name="channel-provider"
          providers={providers}
          type={typed.type ?? ''}
          base_url={typed.base_url ?? ''}
          key_typed={typed.key ?? ''}
          masked={edited ? shortened(edited.masked) : ''}
          errors={{ type: errors.type, key: errors.key, base_url: errors.base_url }}
        />
      </Fields>
      <Fields title={t('channel.serving')}>
        <Island name="channel-models" value={typed.models ?? ''} error={errors.models} />
        <GroupChoice groups={groups} chosen={typed.group ?? ''} error={errors.group} />
      </Fields>
      <Fields title={t('channel.routing')}>
        <div className="grid grid-cols-2 gap-3">
          <TextField
            name="priority"
            label={t('channel.priority')}
            help={t('channel.priority_help')}
            type="number"
            min={PRIORITY_MIN}
            max={PRIORITY_MAX}
            num
          />
          <TextField
            name="weight"
            label={t('channel.weight')}
            help={t('channel.weight_help')}
            type="number"
            min={0}
            max={WEIGHT_MAX}
            num
          />
        </div>
        <CheckField name="auto_ban" value="1" label={t('channel.auto_ban')} help={t('channel.auto_ban_help')} />
      </Fields>
      <Advanced typed={typed} errors={errors} />
      {/* An address that was asked about once is kept when it comes again. */}
      <input type="hidden" name="base_url_kept" value={typed.base_url_kept ?? ''} />
    </Drawer>
  )
}

const KEYS_SHOWN = 3

/** sk-a…9fQ2, sk-b…77Kp, sk-c…t4Rz +2 */
function shortened(masked: string): string {
  const keys = masked.split(',')
  const rest = keys.length - KEYS_SHOWN
  return keys.slice(0, KEYS_SHOWN).join(', ') + (rest > 0 ? ` +${rest}` : '')
}

function DeleteLink({ href }: { href: string }) {
  const { t } = useReader()
  return (
    <>
      <span className="flex-1 max-sm:hidden" />
      <Go href={href} className="btn btn-ghost text-(--ink-error)">
        {t('channel.delete')}
      </Go>
    </>
  )
}

/** A box for each group; none ticked is the default one. */
function GroupChoice({
  groups,
  chosen,
  error,
}: {
  groups: ChannelDrawerProps['groups']
  chosen: string
  error?: string
}) {
  const { t } = useReader()
  const ticked = new Set(chosen.split(','))
  return (
    <fieldset className="field !border-0 !p-0" aria-describedby={error ? 'field-group-error' : undefined}>
      <legend>
        <span className="label-text">{t('channel.groups')}</span>
      </legend>
      <div className="flex flex-wrap gap-x-5 gap-y-2">
        {groups.map(({ name, ratio }) => (
          <label key={name} className="inline-flex items-center gap-2">
            <input type="checkbox" className="checkbox" name="group[]" value={name} defaultChecked={ticked.has(name)} />
            <Tag name={name} ratio={ratio} />
          </label>
        ))}
      </div>
      {error && <ErrorText id="field-group-error">{error}</ErrorText>}
    </fieldset>
  )
}
