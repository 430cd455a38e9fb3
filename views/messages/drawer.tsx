/** Drawers that write a new message or edit a sent one, with a preview beside the typing. */
import Trash2 from 'lucide/dist/esm/icons/trash.mjs'
import type { ReactNode } from 'react'
import { ChoiceField } from '../../client/components/choice.tsx'
import { Drawer, Fields } from '../../client/components/drawer.tsx'
import { AreaField, ErrorText, SelectField, TextField } from '../../client/components/field.tsx'
import { Icon } from '../../client/components/icon.tsx'
import { OverlayLink } from '../../client/components/link.tsx'
import { At } from '../../client/components/moment.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { MESSAGE_TITLE_MAX, type SentMessage } from '../../src/contracts/message.ts'
import { grouped } from '../../src/pure/number.ts'
import { formatOptions } from './message.tsx'
import { type MessagesView, messagesAction, messagesAt } from './view.ts'

interface MessageDrawerProps {
  view: MessagesView
  /** Field values, as typed. */
  typed: object
  errors: Record<string, string | undefined>
  preview: ReactNode
  /** The part about recipients. */
  children: ReactNode
}

export function NewDrawer({
  view,
  typed,
  errors,
  preview,
  groups,
  children,
}: MessageDrawerProps & { groups: string[] }) {
  const { t } = usePageContext()
  return (
    <Drawer
      wide
      title={t('message.create')}
      close={messagesAt(view)}
      action={messagesAt(view, 'new')}
      returnTo={messagesAt(view)}
      submit={t('message.send')}
      values={typed}
      errors={errors}
    >
      <TextFields previewAction={messagesAction(view, 'preview', 'new')} errors={errors} preview={preview} />
      <Fields title={t('message.recipients')}>
        <div className="group grid gap-3.5">
          <ChoiceField
            name="to"
            label={<span className="sr-only">{t('message.recipients')}</span>}
            choices={[
              { value: 'users', label: t('message.to_users') },
              { value: 'group', label: t('message.to_group') },
              { value: 'all', label: t('message.to_all') },
            ]}
          />
          <div className="hidden group-has-[[value=group]:checked]:block">
            <SelectField
              name="group"
              label={t('message.group')}
              options={groups.map(name => ({ value: name, label: name }))}
            />
          </div>
          <div className="hidden group-has-[[value=users]:checked]:block">{children}</div>
          {errors.user_ids && <ErrorText id="field-user_ids-error">{errors.user_ids}</ErrorText>}
        </div>
      </Fields>
      <input type="hidden" name="form_id" value={(typed as { form_id?: string }).form_id ?? ''} />
    </Drawer>
  )
}

export function EditDrawer({
  view,
  message,
  typed,
  errors,
  preview,
  children,
}: MessageDrawerProps & { message: SentMessage }) {
  const { t } = usePageContext()
  const { id, created_time, total_recipients, read_count } = message
  return (
    <Drawer
      wide
      title={t('message.edit_title')}
      close={messagesAt(view)}
      action={messagesAction(view, String(id))}
      returnTo={messagesAt(view)}
      submit={t('ui.save')}
      values={typed}
      errors={errors}
    >
      <div className="mb-4 flex items-center gap-2">
        <span className="help flex-1">
          {t('message.sent')} <At at={created_time} />
        </span>
        <OverlayLink className="btn btn-sm" href={messagesAt(view, { delete: id })} aria-label={t('message.delete')}>
          <Icon of={Trash2} small />
        </OverlayLink>
      </div>
      <TextFields previewAction={messagesAction(view, 'preview', { edit: id })} errors={errors} preview={preview} />
      <Fields title={t('message.recipients')}>
        <p className="help m-0">
          {t('message.read_of', { read: grouped(read_count), total: grouped(total_recipients) })}
        </p>
        {children}
      </Fields>
    </Drawer>
  )
}

/** Title, format and content; a change of any renders the preview. */
function TextFields({
  previewAction,
  errors,
  preview,
}: Pick<MessageDrawerProps, 'errors' | 'preview'> & { previewAction: string }) {
  const { t } = usePageContext()
  return (
    <Fields title={t('message.message')}>
      <div
        className="grid gap-3.5"
        hx-post={previewAction}
        hx-trigger="input delay:300ms"
        hx-target="#message-preview"
        hx-swap="outerMorph"
        hx-sync="this:replace"
      >
        <div className="grid gap-3 sm:grid-cols-[minmax(0,1fr)_10rem]">
          <TextField
            name="title"
            label={t('message.title')}
            required
            maxLength={MESSAGE_TITLE_MAX}
            autoComplete="off"
            autoFocus={Object.keys(errors).length === 0 || errors.title !== undefined}
          />
          <SelectField name="format" label={t('message.format')} options={formatOptions} />
        </div>
        <AreaField name="content" label={t('message.content')} mono rows={10} required spellCheck />
      </div>
      <div className="field">
        <span className="label-text flex items-center gap-2">
          <span className="flex-1">{t('message.preview')}</span>
          <noscript>
            <button type="submit" className="btn btn-sm" formAction={previewAction}>
              {t('message.preview')}
            </button>
          </noscript>
        </span>
        {preview}
      </div>
    </Fields>
  )
}
