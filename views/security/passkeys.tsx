/** Passkeys on the security page. */
import KeyRound from 'lucide/dist/esm/icons/key-round.mjs'
import Pencil from 'lucide/dist/esm/icons/pencil.mjs'
import Plus from 'lucide/dist/esm/icons/plus.mjs'
import Trash2 from 'lucide/dist/esm/icons/trash.mjs'
import { Icon } from '../../client/components/icon.tsx'
import { PageLink } from '../../client/components/link.tsx'
import { Ago, At } from '../../client/components/moment.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import type { PasskeyView } from '../../src/contracts/security.ts'
import { Section, SectionRow } from '../me/section.tsx'
import { securityAt } from './view.ts'

export function Passkeys({ passkeys }: { passkeys: PasskeyView[] }) {
  const { t } = usePageContext()
  const add = (
    <PageLink className="btn btn-sm script-only" href={securityAt({ passkey: '' })}>
      <Icon of={Plus} small />
      {t('security.passkey_add')}
    </PageLink>
  )
  return (
    <Section title={t('security.passkeys')} help={t('security.passkeys_text')} action={add}>
      <ul>
        {passkeys.map(passkey => (
          <PasskeyRow key={passkey.id} passkey={passkey} />
        ))}
        {passkeys.length === 0 && <li className="ink-3">{t('security.passkey_none')}</li>}
      </ul>
    </Section>
  )
}

function PasskeyRow({ passkey: { id, name, created_time, used_time } }: { passkey: PasskeyView }) {
  const { t } = usePageContext()
  const detail = (
    <>
      {t('security.passkey_created')} <At at={created_time} show="day" /> · {t('security.passkey_used')}{' '}
      {used_time === null ? t('security.never') : <Ago at={used_time} />}
    </>
  )
  return (
    <SectionRow icon={<Icon of={KeyRound} className="ink-3" />} title={name} detail={detail}>
      <PageLink
        className="icon-button"
        href={securityAt({ rename: id })}
        aria-label={t('security.passkey_rename_of', { name })}
        title={t('security.passkey_rename')}
      >
        <Icon of={Pencil} small />
      </PageLink>
      <PageLink
        className="icon-button"
        href={securityAt({ remove: id })}
        aria-label={t('security.passkey_remove', { name })}
        title={t('security.remove')}
      >
        <Icon of={Trash2} small />
      </PageLink>
    </SectionRow>
  )
}
