/** Actions of a channel's row: two buttons and a menu. */
import ChartLine from 'lucide-react/icons/chart-line'
import Pencil from 'lucide-react/icons/pencil'
import ScrollText from 'lucide-react/icons/scroll-text'
import Trash2 from 'lucide-react/icons/trash-2'
import { ActionButton, viewRequest } from '../../client/components/link.tsx'
import { MenuLink, MoreMenu } from '../../client/components/menu.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { ChannelStatus } from '../../src/contracts/channel.ts'
import type { ChannelListItem } from '../../src/domain/channels/index.ts'
import { logsAt } from '../logs/view.ts'
import { reportAt } from './route-view.ts'
import { type ChannelsView, channelAction, channelsAt } from './view.ts'

export function RowActions({ channel: { id, name, status }, view }: { channel: ChannelListItem; view: ChannelsView }) {
  const { t } = usePageContext()
  const returnTo = channelsAt(view)
  const edit = channelsAt(view, { edit: id })
  const report = reportAt(id)
  const remove = channelsAt(view, { delete: id })
  const isOpen = status === ChannelStatus.enabled
  return (
    <>
      <ActionButton action={channelAction(id, '/test')} returnTo={returnTo} aria-label={t('channel.test_it', { name })}>
        {t('channel.test')}
      </ActionButton>
      <ActionButton
        action={channelAction(id, '/status')}
        returnTo={returnTo}
        name="status"
        value={isOpen ? ChannelStatus.disabled : ChannelStatus.enabled}
        aria-label={t(isOpen ? 'channel.disable_it' : 'channel.enable_it', { name })}
      >
        {t(isOpen ? 'channel.disable' : 'channel.enable')}
      </ActionButton>
      <MoreMenu id={`more-${id}`} name={name}>
        <MenuLink icon={Pencil} href={edit} {...viewRequest(edit)}>
          {t('channel.edit')}
        </MenuLink>
        <MenuLink icon={ChartLine} href={report} {...viewRequest(report)}>
          {t('report.open')}
        </MenuLink>
        <MenuLink icon={ScrollText} href={logsAt({ channel: id })}>
          {t('channel.usage')}
        </MenuLink>
        <MenuLink icon={Trash2} danger href={remove} {...viewRequest(remove)}>
          {t('channel.delete')}
        </MenuLink>
      </MoreMenu>
    </>
  )
}
