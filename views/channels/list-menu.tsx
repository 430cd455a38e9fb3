/** Menu of what concerns all channels, and the switches of the list. */

import ArrowDownWideNarrow from 'lucide/dist/esm/icons/arrow-down-wide-narrow.mjs'
import Download from 'lucide/dist/esm/icons/download.mjs'
import Ellipsis from 'lucide/dist/esm/icons/ellipsis.mjs'
import Trash2 from 'lucide/dist/esm/icons/trash.mjs'
import WalletCards from 'lucide/dist/esm/icons/wallet-cards.mjs'
import Wrench from 'lucide/dist/esm/icons/wrench.mjs'
import { Icon } from '../../client/components/icon.tsx'
import { ActionButton, viewRequest } from '../../client/components/link.tsx'
import { Menu, MenuLink } from '../../client/components/menu.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { type ChannelsView, channelsAction, channelsAt, exportChannelsAt } from './view.ts'

export function ListMenu({ view, byId, byTag }: { view: ChannelsView; byId: boolean; byTag: boolean }) {
  const { t } = usePageContext()
  const returnTo = channelsAt(view)
  const remove = channelsAt(view, 'delete_disabled')
  return (
    <Menu id="list-menu" label={t('channel.more')} button={<Icon of={Ellipsis} />} className="btn !px-3">
      <ActionButton action={channelsAction('balance', view)} returnTo={returnTo} className="">
        <Icon of={WalletCards} />
        {t('channel.balances')}
      </ActionButton>
      <ActionButton action="/preferences" returnTo={returnTo} name="id-sort" value={String(!byId)} className="">
        <Icon of={ArrowDownWideNarrow} />
        {t(byId ? 'channel.sort_by_priority' : 'channel.sort_by_id')}
      </ActionButton>
      <span className="contents sm:hidden">
        <TagSwitch view={view} byTag={byTag} />
      </span>
      <ActionButton action={channelsAction('fix')} returnTo={returnTo} className="">
        <Icon of={Wrench} />
        {t('channel.fix')}
      </ActionButton>
      <MenuLink icon={Download} href={exportChannelsAt(view)} download>
        {t('channel.export')}
      </MenuLink>
      <MenuLink icon={Trash2} danger href={remove} {...viewRequest(remove)}>
        {t('channel.delete_disabled')}
      </MenuLink>
    </Menu>
  )
}

export function TagSwitch({ view, byTag }: { view: ChannelsView; byTag: boolean }) {
  const { t } = usePageContext()
  return (
    <ActionButton
      action="/preferences"
      returnTo={channelsAt({ ...view, open: undefined, page: 1 })}
      name="channel-tag-mode"
      value={String(!byTag)}
      className="tag-switch"
      role="switch"
      aria-checked={byTag}
    >
      <i aria-hidden="true" />
      {t('channel.by_tag')}
    </ActionButton>
  )
}
