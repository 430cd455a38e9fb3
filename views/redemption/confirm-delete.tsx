/** Dialogs that delete codes: chosen ones, those of one name, disabled and used ones. */
import { Confirm, Dialog, Drawer } from '../../client/components/drawer.tsx'
import { TextField } from '../../client/components/field.tsx'
import { PageLink } from '../../client/components/link.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { CODE_NAME_MAX, type Redemption } from '../../src/contracts/redemption.ts'
import { type CodesView, codesAction, codesAt } from './view.ts'

interface DeletionProps {
  view: CodesView
  /** Of a text that was typed wrong. */
  error?: string
}

/** Confirmed by the name of one code, or by the number of several. */
export function ConfirmDelete({ view, codes, error }: DeletionProps & { codes: Redemption[] }) {
  const { t } = usePageContext()
  const count = codes.length
  return (
    <Confirm
      title={
        count === 1 ? t('redemption.delete_title', { name: codes[0]!.name }) : t('redemption.delete_many', { count })
      }
      text={t('redemption.delete_text')}
      name={confirmationOf(codes)}
      close={codesAt(view)}
      action={codesAction(view, `${codes.map(code => code.id).join(',')}/delete`)}
      submit={t('redemption.delete')}
      error={error}
    />
  )
}

/** Text to type. */
export const confirmationOf = (codes: Redemption[]): string =>
  codes.length === 1 ? codes[0]!.name : String(codes.length)

/** Asks for the name of the codes to delete; the next dialog has their number. */
export function DeleteNamed({ view, name, error }: DeletionProps & { name?: string }) {
  const { t } = usePageContext()
  return (
    <Drawer
      title={t('redemption.delete_named')}
      close={codesAt(view)}
      action={codesAction(view, 'count-by-name')}
      returnTo={codesAt(view)}
      submit={t('redemption.count_them')}
      values={{ name }}
      errors={{ name: error }}
    >
      <TextField
        name="name"
        label={t('redemption.name')}
        help={t('redemption.delete_named_help')}
        maxLength={CODE_NAME_MAX}
        autoComplete="off"
        required
        autoFocus
      />
    </Drawer>
  )
}

export function ConfirmDeleteNamed({ view, name, count, error }: DeletionProps & { name: string; count: number }) {
  const { t } = usePageContext()
  if (!count) return <Nothing view={view} title={t('redemption.none_named', { name })} />
  return (
    <Confirm
      title={t('redemption.delete_named_title', { count, name })}
      text={t('redemption.delete_text')}
      name={String(count)}
      close={codesAt(view)}
      action={codesAction(view, 'delete-by-name', { named: name })}
      submit={t('redemption.delete')}
      error={error}
    />
  )
}

export function ConfirmDeleteDisabled({ view, count, error }: DeletionProps & { count: number }) {
  const { t } = usePageContext()
  if (!count) return <Nothing view={view} title={t('redemption.none_disabled')} />
  return (
    <Confirm
      title={t('redemption.delete_disabled_title', { count })}
      text={t('redemption.delete_text')}
      name={String(count)}
      close={codesAt(view)}
      action={codesAction(view, 'delete-disabled')}
      submit={t('redemption.delete')}
      error={error}
    />
  )
}

function Nothing({ view, title }: { view: CodesView; title: string }) {
  const { t } = usePageContext()
  return (
    <Dialog title={title} close={codesAt(view)}>
      <PageLink href={codesAt(view)} className="btn btn-primary" data-close autoFocus>
        {t('ui.close')}
      </PageLink>
    </Dialog>
  )
}
