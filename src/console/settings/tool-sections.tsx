/** Forms of the tools as the page shows them first: the test mail, and export and import. */
import { MailTest } from '../../../views/settings/mail-test.tsx'
import { Transfer } from '../../../views/settings/transfer.tsx'
import { ownView } from '../../domain/users/index.ts'
import { translate } from '../../locales/index.ts'
import type { MoreSection } from './extras.tsx'
import type { SettingsPage } from './request.ts'

/** Below the section of the mail server. */
export async function mailTest({ caller, outcome }: SettingsPage) {
  const { email } = await ownView(caller.id)
  return <MailTest to={email} outcome={outcome?.of === 'mail' ? outcome : undefined} />
}

export const transferSection = ({ outcome, visit }: SettingsPage): MoreSection => ({
  name: 'transfer',
  title: translate(visit.language, 'revision.transfer'),
  content: <Transfer error={outcome?.of === 'import' ? outcome.text : undefined} />,
})
