/** Dialog that confirms turning off password login; its form sends the changes of the page again. */
import { Dialog } from '../../client/components/drawer.tsx'
import { HiddenFields } from '../../client/components/filters.tsx'
import { Form } from '../../client/components/link.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { SAVE_PATH } from './view.ts'

interface PasswordLoginOffProps {
  /** Values of the form by field. */
  fields: Partial<Record<string, string>>
  close: string
}

export function PasswordLoginOff({ fields: { csrf, returnTo, ...fields }, close }: PasswordLoginOffProps) {
  const { t } = usePageContext()
  return (
    <Dialog title={t('settings.password_login_title')} text={t('settings.password_login_text')} close={close}>
      <Form action={SAVE_PATH} returnTo={close} className="contents">
        <HiddenFields of={fields} />
        <button type="submit" name="confirm" value="cancel" className="btn btn-ghost">
          {t('ui.cancel')}
        </button>
        <button type="submit" name="confirm" value="PasswordLoginEnabled" className="btn btn-error">
          {t('settings.password_login_off')}
        </button>
      </Form>
    </Dialog>
  )
}
