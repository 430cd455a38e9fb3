/** Keys of a channel that has several: state and switch of each. */
import { State } from '../../client/components/badge.tsx'
import { Fields } from '../../client/components/drawer.tsx'
import { Form } from '../../client/components/link.tsx'
import { Ago } from '../../client/components/moment.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { ChannelStatus, type KeyState } from '../../src/contracts/channel.ts'
import { briefCooldown, cooldownParams, cooldownText } from './cooldown.ts'
import { type ChannelsView, channelAction, channelsAt } from './view.ts'

const FORM = 'channel-keys'

export function Keys({ keys }: { keys: KeyState[] }) {
  const { t } = usePageContext()
  if (keys.length < 2) return null
  return (
    <Fields title={t('channel.of_keys')}>
      <ul className="m-0 grid list-none gap-2 p-0">
        {keys.map(key => (
          <li key={key.id} className="flex min-h-8 items-center gap-3">
            <code className="text-sm">{key.key}</code>
            <span className="min-w-0 flex-1">
              <KeyStateBadge of={key} />
            </span>
            <KeySwitch of={key} />
          </li>
        ))}
      </ul>
    </Fields>
  )
}

export function KeyStateBadge({ of: { status, reason, time, cooldown, model_cooldowns } }: { of: KeyState }) {
  const { t } = usePageContext()
  if (status === ChannelStatus.enabled) {
    const cooldowns = cooldown ? [] : model_cooldowns
    return (
      <>
        <State tone={cooldown ? 'limited' : 'open'}>{t(cooldown ? 'channel.cooling' : 'channel.enabled')}</State>
        {cooldown && <small className="help block">{t('channel.back_in', cooldownParams(cooldown, t))}</small>}
        {cooldowns.map(cooldown => (
          <small key={cooldown.model} className="help block" title={cooldownText(cooldown, t)}>
            {briefCooldown(cooldown, t)}
          </small>
        ))}
      </>
    )
  }
  const byItself = status === ChannelStatus.autoDisabled
  return (
    <>
      <State tone={byItself ? 'stopped' : 'fact'}>{t(byItself ? 'channel.auto_disabled' : 'channel.disabled')}</State>
      <small className="help block">
        {byItself ? reason : t('channel.key_disabled_by_hand')} · <Ago at={time} />
      </small>
    </>
  )
}

/** Submits KeysForm: HTML forbids a form inside the drawer's form. */
function KeySwitch({ of: { id, key, status } }: { of: KeyState }) {
  const { t } = usePageContext()
  const isOpen = status === ChannelStatus.enabled
  const next = isOpen ? ChannelStatus.disabled : ChannelStatus.enabled
  return (
    <button
      type="submit"
      form={FORM}
      name="turn"
      value={`${id} ${next}`}
      className="btn btn-ghost btn-sm"
      aria-label={t(isOpen ? 'channel.key_disable' : 'channel.key_enable', { key })}
    >
      {t(isOpen ? 'channel.disable' : 'channel.enable')}
    </button>
  )
}

export function KeysForm({ id, view }: { id: number; view: ChannelsView }) {
  return (
    <Form id={FORM} action={channelAction(id, '/keys')} returnTo={channelsAt(view, { edit: id })} hidden>
      {null}
    </Form>
  )
}
