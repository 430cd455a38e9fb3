/** Tab of the personal settings: figures, profile, ways to sign in, models, access token, deletion. */

import type { ReactNode } from 'react'
import { Chip, Chips } from '../../client/components/badge.tsx'
import { TextField } from '../../client/components/field.tsx'
import { ActionButton, Form, PageLink } from '../../client/components/link.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { balanceText } from '../../src/billing/quota.ts'
import { ME_PATH } from '../../src/contracts/profile.ts'
import type { Visit } from '../../src/contracts/visit.ts'
import { grouped } from '../../src/pure/number.ts'
import { Models } from './models.tsx'
import { Section, SectionRow } from './section.tsx'
import { MeTabs } from './tabs.tsx'
import { meDialogAt } from './view.ts'

/** The signed-in user, as the page shows them. */
interface Me {
  username: string
  display_name: string
  hasPassword: boolean
  hasAccessToken: boolean
  isRoot: boolean
  /** Quota. */
  quota: number
  used_quota: number
  request_count: number
}

interface ProfileProps {
  visit: Visit
  me: Me
  models: string[]
  modelsExpanded: boolean
  /** Rows of login providers and the mail address. */
  bindings: ReactNode
  values: Record<string, string>
  errors: Record<string, string>
  /** Dialog over the page. */
  overlay?: ReactNode
}

export function Profile({ visit, me, models, modelsExpanded, bindings, values, errors, overlay }: ProfileProps) {
  const { t } = usePageContext()
  return (
    <>
      <MeTabs visit={visit} current="profile" />
      <Figures me={me} />
      <div className="sections mt-8">
        <ProfileSection values={values} errors={errors} />
        <div id="bindings">
          <Section title={t('me.bindings')} help={t('me.bindings_help')}>
            <ul>
              <PasswordRow hasPassword={me.hasPassword} />
              {bindings}
            </ul>
          </Section>
        </div>
        <Section title={t('me.models')} help={<span className="script-only">{t('me.models_help')}</span>}>
          <Models names={models} expanded={modelsExpanded} />
        </Section>
        <AccessSection me={me} />
      </div>
      {overlay}
    </>
  )
}

function ProfileSection({ values, errors }: Pick<ProfileProps, 'values' | 'errors'>) {
  const { t } = usePageContext()
  return (
    <Section title={t('me.profile')}>
      <Form action={`${ME_PATH}/profile`} values={values} errors={errors} className="grid gap-4">
        <div className="grid sm:grid-cols-2 gap-4">
          <TextField
            name="username"
            label={t('me.username')}
            required
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
          />
          <TextField name="display_name" label={t('me.display_name')} autoComplete="nickname" />
        </div>
        <span>
          <button type="submit" className="btn btn-primary">
            {t('ui.save')}
          </button>
        </span>
      </Form>
    </Section>
  )
}

function Figures({ me: { quota, used_quota, request_count } }: { me: Me }) {
  const { t, currency } = usePageContext()
  return (
    <Chips>
      <Chip label={t('me.balance')} value={balanceText(quota, currency)} />
      <Chip label={t('me.spent')} value={balanceText(used_quota, currency)} />
      <Chip label={t('me.requests')} value={grouped(request_count)} />
    </Chips>
  )
}

function PasswordRow({ hasPassword }: { hasPassword: boolean }) {
  const { t } = usePageContext()
  return (
    <SectionRow title={t('me.password')} detail={t(hasPassword ? 'me.password_help' : 'me.password_none')}>
      <PageLink className="btn btn-sm" href={meDialogAt('password')}>
        {t(hasPassword ? 'me.password_change' : 'me.password_set')}
      </PageLink>
    </SectionRow>
  )
}

/** System access token, deletion: one row each. */
function AccessSection({ me }: { me: Me }) {
  const { t } = usePageContext()
  return (
    <Section title={t('me.access')}>
      <ul>
        <SectionRow title={t('me.token')} detail={t(me.hasAccessToken ? 'me.token_exists' : 'me.token_help')}>
          <ActionButton className="btn btn-sm" action={`${ME_PATH}/token`}>
            {t(me.hasAccessToken ? 'me.token_replace' : 'me.token_create')}
          </ActionButton>
        </SectionRow>
        {!me.isRoot && (
          <SectionRow title={t('me.delete')} detail={t('me.delete_help')}>
            <PageLink className="btn btn-sm text-error" href={meDialogAt('delete')}>
              {t('me.delete_open')}
            </PageLink>
          </SectionRow>
        )}
      </ul>
    </Section>
  )
}
