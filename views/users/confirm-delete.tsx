/** Dialog that deregisters a user after the name was form. */
import { Confirm } from '../../client/components/drawer.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { type UsersView, usersAction, usersAt } from './view.ts'

interface ConfirmDeregisterProps {
  view: UsersView
  user: { id: number; username: string }
  error?: string
}

export function ConfirmDeregister({ view, user: { id, username: name }, error }: ConfirmDeregisterProps) {
  const { t } = usePageContext()
  return (
    <Confirm
      title={t('user.delete_title', { name })}
      text={t('user.delete_text')}
      name={name}
      close={usersAt(view)}
      action={usersAction(view, `${id}/delete`)}
      submit={t('user.delete')}
      error={error}
    />
  )
}
