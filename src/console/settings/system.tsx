/** The running system, and the check for updates. */
import { SystemFacts, UpdateCheck } from '../../../views/settings/system.tsx'
import { Role } from '../../contracts/account.ts'
import { Refusal } from '../../contracts/refusal.ts'
import { option } from '../../domain/options/index.ts'
import { systemInfo } from '../../domain/system/index.ts'
import { translate } from '../../locales/index.ts'
import { checkLimit } from '../../web/ip-rate-limit.ts'
import { openedBy, type SettingsPage } from './request.ts'
import { releaseCheck } from './system-api.ts'

/** The section of the tab. */
export const systemSection = async ({ visit }: SettingsPage) => ({
  name: 'system',
  title: translate(visit.language, 'system.title'),
  content: <SystemFacts info={await systemInfo()} />,
})

/** Below the section, for root; `check` in the address asks for the newest release. */
export async function updateCheck(page: SettingsPage) {
  if (page.caller.role < Role.root) return
  if (!option('UpdateCheckAddress')) return
  if (openedBy(page, 'check') === null) return <UpdateCheck />
  const { request, server, visit } = page
  try {
    await checkLimit('critical', request, server, 'check-update')
    return <UpdateCheck release={await releaseCheck()} />
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return <UpdateCheck error={translate(visit.language, error.code, error.params)} />
  }
}
