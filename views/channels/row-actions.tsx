/** Actions of a row: buttons of the list's one form, and a menu that is fetched when it is opened. */
import ChartLine from 'lucide-react/icons/chart-line'
import CopyPlus from 'lucide-react/icons/copy-plus'
import Ellipsis from 'lucide-react/icons/ellipsis'
import FlaskConical from 'lucide-react/icons/flask-conical'
import Pencil from 'lucide-react/icons/pencil'
import ScrollText from 'lucide-react/icons/scroll-text'
import Trash2 from 'lucide-react/icons/trash-2'
import { Icon } from '../../client/components/icon.tsx'
import { FormButton, PageLink, viewRequest } from '../../client/components/link.tsx'
import { MenuLink } from '../../client/components/menu.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { ChannelStatus } from '../../src/contracts/channel.ts'
import type { ChannelListItem } from '../../src/domain/channels/index.ts'
import { logsAt } from '../logs/view.ts'
import { reportAt } from './route-view.ts'
import { CHILDREN_MAX, isTagRow, type ListRow, type TagRow } from './row.ts'
import { ROW_FORM } from './row-form.tsx'
import { type ChannelsView, channelAction, channelsAction, channelsAt } from './view.ts'

export const ROW_MENU = 'row-menu'

export const RowActions = ({ row, view }: { row: ListRow; view: ChannelsView }) =>
  isTagRow(row) ? <TagActions row={row} view={view} /> : <ChannelActions channel={row} view={view} />

function ChannelActions({ channel: { id, name, status }, view }: { channel: ChannelListItem; view: ChannelsView }) {
  const { t } = usePageContext()
  const isOpen = status === ChannelStatus.enabled
  return (
    <>
      <FormButton form={ROW_FORM} action={channelAction(id, '/test')} aria-label={t('channel.test_it', { name })}>
        {t('channel.test')}
      </FormButton>
      <FormButton
        form={ROW_FORM}
        action={channelAction(id, '/status')}
        name="status"
        value={isOpen ? ChannelStatus.disabled : ChannelStatus.enabled}
        aria-label={t(isOpen ? 'channel.disable_it' : 'channel.enable_it', { name })}
      >
        {t(isOpen ? 'channel.disable' : 'channel.enable')}
      </FormButton>
      <button
        type="button"
        className="icon-button script-only"
        popoverTarget={ROW_MENU}
        aria-label={t('part.more_for', { name })}
        hx-get={channelAction(id, '/menu', view)}
        hx-target={`#${ROW_MENU}`}
        hx-swap="innerHTML"
      >
        <Icon of={Ellipsis} />
      </button>
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
      <FormButton
        form={ROW_FORM}
        action={channelsAction('tag/test', { tag })}
        aria-label={t('channel.test_it', { name: tag })}
      >
        {t('channel.test')}
      </FormButton>
      <FormButton
        form={ROW_FORM}
        action={channelsAction('tag/switch', { tag })}
        name="status"
        value={enabled ? ChannelStatus.disabled : ChannelStatus.enabled}
        aria-label={t(enabled ? 'channel.disable_all' : 'channel.enable_all', { tag })}
        title={t(enabled ? 'channel.disable_all' : 'channel.enable_all', { tag })}
      >
        {t(enabled ? 'channel.disable' : 'channel.enable')}
      </FormButton>
      <PageLink
        className="icon-button"
        href={channelsAt(view, { edit_tag: tag })}
        aria-label={t('channel.tag_edit', { tag })}
        title={t('channel.tag_edit', { tag })}
      >
        <Icon of={Pencil} small />
      </PageLink>
    </>
  )
}

/** The items of a channel's menu. */
export function RowMenu({ id, view }: { id: number; view: ChannelsView }) {
  const { t } = usePageContext()
  const item = (href: string) => ({ href, ...viewRequest(href) })
  return (
    <>
      <MenuLink icon={Pencil} {...item(channelsAt(view, { edit: id }))}>
        {t('channel.edit')}
      </MenuLink>
      <MenuLink icon={FlaskConical} {...item(channelsAt(view, { test: id }))}>
        {t('channel.test_model_choice')}
      </MenuLink>
      <FormButton form={ROW_FORM} action={channelAction(id, '/copy')} className="">
        <Icon of={CopyPlus} />
        {t('channel.copy')}
      </FormButton>
      <MenuLink icon={ChartLine} {...item(reportAt(id))}>
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
