/** Actions of a row: buttons of the list's one form, and a menu that is fetched when it is opened. */
import ArrowRight from 'lucide/dist/esm/icons/arrow-right.mjs'
import ChartLine from 'lucide/dist/esm/icons/chart-line.mjs'
import CopyPlus from 'lucide/dist/esm/icons/copy-plus.mjs'
import FlaskConical from 'lucide/dist/esm/icons/flask-conical.mjs'
import Pencil from 'lucide/dist/esm/icons/pencil.mjs'
import ScrollText from 'lucide/dist/esm/icons/scroll-text.mjs'
import Trash2 from 'lucide/dist/esm/icons/trash.mjs'
import { Icon } from '../../client/components/icon.tsx'
import { OverlayLink, overlayRequest, PageLink, RowButton, viewRequest } from '../../client/components/link.tsx'
import { MenuLink, RowMenuButton } from '../../client/components/menu.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { ChannelStatus } from '../../src/contracts/channel.ts'
import type { ChannelListItem } from '../../src/contracts/channel-list.ts'
import { nameIn } from '../../src/locales/makers.ts'
import { logsAt } from '../logs/view.ts'
import { reportAt } from './route-view.ts'
import { CHILDREN_MAX, isTagRow, type ListRow, type TagRow } from './row.ts'
import { type ChannelsView, channelAction, channelsAction, channelsAt } from './view.ts'

export const RowActions = ({ row, view }: { row: ListRow; view: ChannelsView }) =>
  isTagRow(row) ? <TagActions row={row} view={view} /> : <ChannelActions channel={row} view={view} />

function ChannelActions({ channel: { id, name, status }, view }: { channel: ChannelListItem; view: ChannelsView }) {
  const { t } = usePageContext()
  const isOpen = status === ChannelStatus.enabled
  return (
    <>
      <RowButton action={channelAction(id, '/test')} aria-label={t('channel.test_it', { name })}>
        {t('channel.test')}
      </RowButton>
      <RowButton
        action={channelAction(id, '/status')}
        name="status"
        value={isOpen ? ChannelStatus.disabled : ChannelStatus.enabled}
        aria-label={t(isOpen ? 'channel.disable_it' : 'channel.enable_it', { name })}
      >
        {t(isOpen ? 'channel.disable' : 'channel.enable')}
      </RowButton>
      <RowMenuButton name={name} href={channelAction(id, '/menu', view)} />
    </>
  )
}

function TagActions({ row: { tag, enabled, isOpen, count }, view }: { row: TagRow; view: ChannelsView }) {
  const { t } = usePageContext()
  return (
    <>
      {isOpen && count > CHILDREN_MAX && (
        <PageLink className="btn btn-ghost btn-sm" href={channelsAt({ tag })}>
          {t('channel.show_all_of', { count })}
        </PageLink>
      )}
      <RowButton action={channelsAction('tag/test', { tag })} aria-label={t('channel.test_it', { name: tag })}>
        {t('channel.test')}
      </RowButton>
      <RowButton
        action={channelsAction('tag/switch', { tag })}
        name="status"
        value={enabled ? ChannelStatus.disabled : ChannelStatus.enabled}
        aria-label={t(enabled ? 'channel.disable_all' : 'channel.enable_all', { tag })}
        title={t(enabled ? 'channel.disable_all' : 'channel.enable_all', { tag })}
      >
        {t(enabled ? 'channel.disable' : 'channel.enable')}
      </RowButton>
      <OverlayLink
        className="icon-button"
        href={channelsAt(view, { edit_tag: tag })}
        aria-label={t('channel.tag_edit', { tag })}
        title={t('channel.tag_edit', { tag })}
      >
        <Icon of={Pencil} small />
      </OverlayLink>
    </>
  )
}

/** The items of a channel's menu. */
export function ChannelMenu({ id, ended, view }: Pick<ChannelListItem, 'id' | 'ended'> & { view: ChannelsView }) {
  const { t, language } = usePageContext()
  const item = (href: string) => ({ href, ...overlayRequest(href) })
  return (
    <>
      <MenuLink icon={Pencil} {...item(channelsAt(view, { edit: id }))}>
        {t('channel.edit')}
      </MenuLink>
      <MenuLink icon={FlaskConical} {...item(channelsAt(view, { test: id }))}>
        {t('channel.test_model_choice')}
      </MenuLink>
      {ended?.successor && (
        <RowButton action={channelAction(id, '/successor')} className="">
          <Icon of={ArrowRight} />
          {t('channel.change_type', { label: nameIn(language, ended.successor.label) })}
        </RowButton>
      )}
      <RowButton action={channelAction(id, '/copy')} className="">
        <Icon of={CopyPlus} />
        {t('channel.copy')}
      </RowButton>
      <MenuLink icon={ChartLine} href={reportAt(id)} {...viewRequest(reportAt(id))}>
        {t('report.open')}
      </MenuLink>
      <MenuLink icon={ScrollText} href={logsAt({ channel: id })}>
        {t('channel.usage')}
      </MenuLink>
      <MenuLink icon={Trash2} danger {...item(channelsAt(view, { delete: id }))}>
        {t('channel.delete')}
      </MenuLink>
    </>
  )
}
