/** Rows of the accounts that a user has bound or may bind, each with its actions; they stand in a `<ul>` of a section. */
import { ActionButton } from '../../client/components/link.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import type { Binding } from '../../src/contracts/oauth.ts'
import { SectionRow } from '../me/section.tsx'

interface BindingsProps {
  bindings: Binding[]
  /** The page that the rows are on. */
  returnTo: string
}

/** Ways that the site does not offer are left out, unless the user has bound one before. */
export const Bindings = ({ bindings, returnTo }: BindingsProps) =>
  bindings
    .filter(({ bound, is_enabled }) => bound || is_enabled)
    .map(binding => <BindingRow key={binding.name} {...binding} returnTo={returnTo} />)

function BindingRow(binding: Binding & { returnTo: string }) {
  const { t } = usePageContext()
  const { name, bound } = binding
  const detail = bound ? <span className="mono wrap-anywhere">{bound}</span> : t('oauth.none')
  return (
    <SectionRow title={t(`oauth.${name}`)} detail={detail}>
      {bound ? <BoundActions {...binding} /> : <BindLink {...binding} label="bind" />}
    </SectionRow>
  )
}

function BoundActions(binding: Binding & { returnTo: string }) {
  const { t } = usePageContext()
  const { name, is_enabled, is_removable, returnTo } = binding
  return (
    <>
      {name === 'email' && is_enabled && <BindLink {...binding} label="change" />}
      {is_removable ? (
        <ActionButton
          action={`/oauth/${name}/unbind`}
          returnTo={returnTo}
          aria-label={t('oauth.unbind_named', { name: t(`oauth.${name}`) })}
        >
          {t('oauth.unbind')}
        </ActionButton>
      ) : (
        name !== 'email' && <span className="help">{t('oauth.only_way')}</span>
      )}
    </>
  )
}

function BindLink({ name, returnTo, label }: Binding & { returnTo: string; label: 'bind' | 'change' }) {
  const { t } = usePageContext()
  return (
    <a
      className="btn btn-sm !font-normal"
      href={`/oauth/${name}/start?${new URLSearchParams({ returnTo })}`}
      aria-label={t(`oauth.${label}_named`, { name: t(`oauth.${name}`) })}
    >
      {t(`oauth.${label}`)}
    </a>
  )
}
