/** Dialog that deletes a channel after its name was typed. */
import { Confirm } from '../../client/components/drawer.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { type ChannelsView, channelAction, channelsAt } from './view.ts'

export interface ConfirmDeleteProps {
  view: ChannelsView
  id: number
  name: string
  error?: string
}

export function ConfirmDelete({ view, id, name, error }: ConfirmDeleteProps) {
  const { t } = usePageContext()
  return (
    <Confirm
      title={t('channel.delete_title', { name })}
      text={t('channel.delete_text')}
      name={name}
      close={channelsAt(view)}
      action={channelAction(id, '/delete', view)}
      submit={t('channel.delete')}
      error={error}
    />
  )
}
