/** Dialogs over several channels: delete, tag; and the editor of a tag. */
import { Confirm, Dialog, Drawer, Fields } from '../../client/components/drawer.tsx'
import { AreaField, SelectField, TextField } from '../../client/components/field.tsx'
import { DefaultSubmit, Form, PageLink } from '../../client/components/link.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { CHANNEL_NAME_MAX, ChannelStatus } from '../../src/contracts/channel.ts'
import { type ChannelsView, channelAction, channelsAction, channelsAt } from './view.ts'

export interface ChosenChannel {
  id: number
  name: string
}

const NAMED_MAX = 5

function useNames(channels: ChosenChannel[]): string {
  const { t, language } = usePageContext()
  const shown = channels.slice(0, NAMED_MAX).map(({ name }) => name)
  const more = channels.length - shown.length
  return new Intl.ListFormat(language, { type: 'conjunction' }).format(
    more > 0 ? [...shown, t('token.and_more', { count: more })] : shown,
  )
}

interface DeleteManyProps {
  view: ChannelsView
  channels: ChosenChannel[]
  /** All disabled channels, whichever they are when the dialog is confirmed. */
  disabled?: boolean
  error?: string
}

/** Confirmed by the number of the channels. */
export function DeleteMany({ view, channels, disabled, error }: DeleteManyProps) {
  const { t } = usePageContext()
  const names = useNames(channels)
  const count = channels.length
  return (
    <Confirm
      title={t('channel.delete_many_title', { count })}
      text={t('channel.delete_many_text', { names })}
      name={String(count)}
      close={channelsAt(view)}
      action={
        disabled
          ? channelsAction('delete-disabled', view)
          : `${channelsAction('delete-all')}?delete_all=${channels.map(({ id }) => id).join(',')}`
      }
      submit={t('channel.delete')}
      error={error}
    />
  )
}

/** One tag for several channels, or none. */
export function SetTag({
  view,
  channels,
  tags,
  error,
}: {
  view: ChannelsView
  channels: ChosenChannel[]
  tags: string[]
  error?: string
}) {
  const { t } = usePageContext()
  const action = `${channelsAction('set-tag')}?set_tag=${channels.map(({ id }) => id).join(',')}`
  return (
    <Dialog
      title={t('channel.set_tag')}
      text={useNames(channels)}
      close={channelsAt(view)}
      facts={
        <Form id="set-tag" action={action} returnTo={channelsAt(view)}>
          <DefaultSubmit />
          <TextField
            name="tag"
            label={t('channel.tag')}
            maxLength={CHANNEL_NAME_MAX}
            list="tags"
            autoFocus
            error={error}
          />
          <datalist id="tags">
            {tags.map(tag => (
              <option key={tag} value={tag} />
            ))}
          </datalist>
        </Form>
      }
    >
      <PageLink href={channelsAt(view)} className="btn btn-ghost" data-close>
        {t('ui.cancel')}
      </PageLink>
      <button type="submit" form="set-tag" name="remove" value="true" className="btn">
        {t('channel.remove_tag')}
      </button>
      <button type="submit" form="set-tag" className="btn btn-primary">
        {t('ui.save')}
      </button>
    </Dialog>
  )
}

interface TagDrawerProps {
  view: ChannelsView
  tag: string
  count: number
  values: Record<string, unknown>
  errors?: Record<string, string>
}

/** Fields that are left empty stay as they are in each channel. */
export function TagDrawer({ view, tag, count, values, errors = {} }: TagDrawerProps) {
  const { t } = usePageContext()
  return (
    <Drawer
      title={t('channel.tag_edit', { tag })}
      close={channelsAt(view)}
      action={channelsAction('tag', { tag })}
      returnTo={channelsAt(view)}
      submit={t('ui.save')}
      values={values}
      errors={errors}
      noValidate
    >
      <p className="note m-0 mb-5">{t('channel.tag_edit_note', { count })}</p>
      <Fields title={t('channel.tag')}>
        <TextField
          name="new_tag"
          label={t('channel.name')}
          help={t('channel.new_tag_help')}
          maxLength={CHANNEL_NAME_MAX}
        />
      </Fields>
      <Fields title={t('channel.serving')}>
        <AreaField name="models" label={t('channel.models')} help={t('channel.unchanged_help')} rows={3} />
        <TextField name="groups" label={t('channel.groups')} help={t('channel.unchanged_help')} />
        <AreaField
          name="model_mapping"
          label={t('mapping.model_mapping')}
          help={t('channel.unchanged_help')}
          rows={3}
          mono
        />
      </Fields>
      <Fields title={t('channel.routing')}>
        <div className="grid grid-cols-2 gap-4">
          <TextField name="priority" label={t('channel.priority')} help={t('channel.unchanged_help')} />
          <TextField name="weight" label={t('channel.weight')} help={t('channel.unchanged_help')} />
        </div>
      </Fields>
    </Drawer>
  )
}

interface SwitchTagProps {
  view: ChannelsView
  tag: string
  count: number
  enabled: number
}

/** Enables or disables all channels of a tag. */
export function SwitchTag({ view, tag, count, enabled }: SwitchTagProps) {
  const { t } = usePageContext()
  return (
    <Dialog
      title={t('channel.tag_switch', { tag })}
      text={t('channel.enabled_of', { enabled, count })}
      close={channelsAt(view)}
      facts={
        <Form id="switch-tag" action={channelsAction('tag/switch', { tag })} returnTo={channelsAt(view)}>
          {null}
        </Form>
      }
    >
      <PageLink href={channelsAt(view)} className="btn btn-ghost" data-close>
        {t('ui.cancel')}
      </PageLink>
      {enabled < count && (
        <button type="submit" form="switch-tag" name="status" value={ChannelStatus.enabled} className="btn">
          {t('channel.enable')}
        </button>
      )}
      {enabled > 0 && (
        <button type="submit" form="switch-tag" name="status" value={ChannelStatus.disabled} className="btn btn-error">
          {t('channel.disable')}
        </button>
      )}
    </Dialog>
  )
}

interface TestDialogProps {
  view: ChannelsView
  id: number
  name: string
  models: string[]
  /** The model that a test without a choice uses. */
  model: string
}

/** The test of a channel with a chosen model. */
export function TestDialog({ view, id, name, models, model }: TestDialogProps) {
  const { t } = usePageContext()
  return (
    <Dialog
      title={t('channel.test_it', { name })}
      close={channelsAt(view)}
      facts={
        <Form
          id="test-model"
          action={channelAction(id, '/test')}
          returnTo={channelsAt(view)}
          values={{ model }}
          className="mt-3"
        >
          <SelectField
            name="model"
            label={t('channel.model')}
            options={models.map(one => ({ value: one, label: one }))}
          />
        </Form>
      }
    >
      <PageLink href={channelsAt(view)} className="btn btn-ghost" data-close>
        {t('ui.cancel')}
      </PageLink>
      <button type="submit" form="test-model" className="btn btn-primary">
        {t('channel.test')}
      </button>
    </Dialog>
  )
}
