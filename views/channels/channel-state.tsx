/** State of the channel in the drawer, and its actions besides editing. */
import { EndedNote } from '../../client/channels/ended-note.tsx'
import { Form, OverlayLink, PageLink, RowButton } from '../../client/components/link.tsx'
import { Ago } from '../../client/components/moment.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { ChannelStatus } from '../../src/contracts/channel.ts'
import type { ChannelListItem } from '../../src/contracts/channel-list.ts'
import { nameIn } from '../../src/locales/makers.ts'
import { cooldownText } from './cooldown.ts'
import { disablingReason } from './disabling.ts'
import { reportAt } from './route-view.ts'
import { type ChannelsView, channelAction, channelsAt } from './view.ts'

export interface ChannelStateProps
  extends Pick<ChannelListItem, 'id' | 'name' | 'status' | 'auto_disabled' | 'cooldown' | 'model_cooldowns'> {
  view: ChannelsView
}

/** Message key of the status. */
export const stateName = ({ status }: { status: number }) =>
  status === ChannelStatus.enabled
    ? 'channel.enabled'
    : status === ChannelStatus.autoDisabled
      ? 'channel.auto_disabled'
      : 'channel.disabled'

/** The end of the service, and the button that changes the type to its successor. */
export function EndedChannel({ id, ended }: Pick<ChannelListItem, 'id' | 'ended'>) {
  const { t, language } = usePageContext()
  if (!ended) return null
  return (
    <div className="mb-5">
      <EndedNote ended={ended}>
        {ended.successor && (
          <RowButton action={channelAction(id, '/successor')} className="btn btn-sm">
            {t('channel.change_type', { label: nameIn(language, ended.successor.label) })}
          </RowButton>
        )}
      </EndedNote>
    </div>
  )
}

/** Reason and time of an automatic disabling. */
export function AutoDisabledNote({ auto_disabled }: ChannelStateProps) {
  const { t } = usePageContext()
  if (!auto_disabled) return null
  return (
    <p className="note error m-0 mb-5">
      <span>
        {t('channel.auto_disabled_because', { reason: disablingReason(auto_disabled.reason, t) })} ·{' '}
        <Ago at={auto_disabled.at} />
      </span>
    </p>
  )
}

const MODELS_SHOWN = 10

/** Of each cooldown what cools down, the reason and the seconds left. */
export function CooldownNote({ status, cooldown, model_cooldowns }: ChannelStateProps) {
  const { t } = usePageContext()
  const cooldowns = cooldown ? [cooldown] : model_cooldowns.slice(0, MODELS_SHOWN)
  if (!cooldowns.length || status !== ChannelStatus.enabled) return null
  return (
    <div className="note warning m-0 mb-5">
      <span>
        {cooldowns.map(cooldown => (
          <span key={cooldown.model ?? cooldown.scope} className="block">
            {cooldownText(cooldown, t)}
          </span>
        ))}
      </span>
    </div>
  )
}

/**
 * Actions in the drawer on phones, whose rows have no buttons, and without JavaScript, which fetches a row's menu. The
 * switch submits `PhoneForm`: HTML forbids a form inside the drawer's form.
 */
export function PhoneActions({ id, status, view }: ChannelStateProps) {
  const { t } = usePageContext()
  return (
    <div className="channel-actions sm:hidden">
      <button type="submit" form="channel-status" className="btn">
        {t(status === ChannelStatus.enabled ? 'channel.disable' : 'channel.enable')}
      </button>
      <OverlayLink href={channelsAt(view, { test: id })} className="btn">
        {t('channel.test_model_choice')}
      </OverlayLink>
      <RowButton action={channelAction(id, '/copy')} className="btn">
        {t('channel.copy')}
      </RowButton>
    </div>
  )
}

export function PhoneForm({ id, status, view }: ChannelStateProps) {
  const returnTo = channelsAt(view)
  const next = status === ChannelStatus.enabled ? ChannelStatus.disabled : ChannelStatus.enabled
  return (
    <Form id="channel-status" action={channelAction(id, '/status')} returnTo={returnTo} hidden>
      <input type="hidden" name="status" value={next} />
    </Form>
  )
}

export function DeleteLink({ id, view }: ChannelStateProps) {
  const { t } = usePageContext()
  return (
    <>
      <span className="flex-1 max-sm:hidden" />
      <PageLink href={reportAt(id)} className="btn btn-ghost">
        {t('report.open')}
      </PageLink>
      <OverlayLink href={channelsAt(view, { delete: id })} className="btn btn-ghost text-(--ink-error)">
        {t('channel.delete')}
      </OverlayLink>
    </>
  )
}
