/** Set-up by the database of another gateway: the form, what would move in, and how far it is. */
import Database from 'lucide/dist/esm/icons/database.mjs'
import type { ReactNode } from 'react'
import { ChoiceField } from '../../client/components/choice.tsx'
import { Field, TextField } from '../../client/components/field.tsx'
import { Icon } from '../../client/components/icon.tsx'
import { Form } from '../../client/components/link.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { PasswordField } from '../../client/components/secret.tsx'
import {
  IMPORT_UPLOAD_MB_MAX,
  MOVED_NOUNS,
  type MoveReport,
  PRICES_OF,
  SETUP_IMPORT_PATH,
} from '../../src/contracts/moving-in.ts'
import type { Visit } from '../../src/contracts/visit.ts'
import { AuthLayout, Problem } from '../layout/auth-layout.tsx'
import { OtherLanguages } from '../layout/preferences.tsx'
import { ImportReport } from './import-report.tsx'

interface FormProps {
  visit: Visit
  /** The installation has a `SETUP_TOKEN`. */
  needsToken: boolean
  values?: Record<string, unknown>
  errors?: Record<string, string>
}

/** The file comes last: what stands before it is checked before the first byte is stored. */
export function ImportForm({ visit, needsToken, values, errors }: FormProps) {
  const { t } = usePageContext()
  return (
    <ImportPage visit={visit} title={t('setup.import_heading')} lead={t('setup.import_lead')}>
      <Form action={SETUP_IMPORT_PATH} encType="multipart/form-data" fullPage values={values} errors={errors}>
        {needsToken && (
          <PasswordField
            name="setup_token"
            label={t('setup.token')}
            help={t('setup.token_help')}
            autoComplete="off"
            required
          />
        )}
        <ChoiceField
          name="prices"
          label={t('setup.import_prices')}
          choices={PRICES_OF.map(value => ({
            value,
            label: t(`setup.import_prices_${value}`),
            help: t(`setup.import_prices_${value}_help`),
          }))}
        />
        <TextField name="days" label={t('setup.import_days')} help={t('setup.import_days_help')} inputMode="numeric" />
        <Field
          name="file"
          label={t('setup.import_file')}
          help={t('setup.import_file_help', { max: IMPORT_UPLOAD_MB_MAX })}
        >
          {({ value: _, ...control }) => <input type="file" className="file-input" required {...control} />}
        </Field>
        <button type="submit" className="btn btn-primary">
          {t('setup.import_check')}
        </button>
      </Form>
    </ImportPage>
  )
}

/** What an upload would bring, and the button that carries it over. */
export function ImportChecked({ visit, action, report }: { visit: Visit; action: string; report: MoveReport }) {
  const { t } = usePageContext()
  return (
    <ImportPage visit={visit} title={t('setup.import_checked')} lead={t('setup.import_checked_lead')}>
      <ImportReport report={report} />
      <p className="note">
        <Icon of={Database} />
        <span>{t('setup.import_root', { name: report.root ?? '' })}</span>
      </p>
      <Form action={action} fullPage>
        <button type="submit" className="btn btn-primary">
          {t('setup.import_start')}
        </button>
      </Form>
      <p className="text-center mt-4">
        <a href={SETUP_IMPORT_PATH}>{t('setup.import_again')}</a>
      </p>
    </ImportPage>
  )
}

interface RunningProps {
  visit: Visit
  report: MoveReport
  counts: MoveReport['counts'] | undefined
}

/** Loads itself anew until the end, by a header. */
export function ImportRunning({ visit, report, counts }: RunningProps) {
  const { t } = usePageContext()
  const all = MOVED_NOUNS.reduce((sum, noun) => sum + report.counts[noun].carried, 0)
  const done = MOVED_NOUNS.reduce((sum, noun) => sum + (counts?.[noun].carried ?? 0), 0)
  return (
    <ImportPage visit={visit} title={t('setup.import_running')} lead={t('setup.import_running_lead')}>
      <progress
        className="progress progress-primary mt-6"
        value={done}
        max={Math.max(1, all)}
        aria-label={t('setup.import_running')}
      />
      <p className="help m-0">
        {t('setup.import_progress', { done: done.toLocaleString('en'), all: all.toLocaleString('en') })}
      </p>
      <p className="note">
        <Icon of={Database} />
        <span>{t('setup.import_root', { name: report.root ?? '' })}</span>
      </p>
    </ImportPage>
  )
}

/** It broke off: what was carried stays, and the file is sent again. */
export function ImportFailed({ visit, why }: { visit: Visit; why: string }) {
  const { t } = usePageContext()
  return (
    <ImportPage visit={visit} title={t('setup.import_failed')} lead={t('setup.import_failed_lead')}>
      <Problem>{why}</Problem>
      <p>
        <a href={SETUP_IMPORT_PATH} className="btn btn-primary">
          {t('setup.import_again')}
        </a>
      </p>
    </ImportPage>
  )
}

function ImportPage({
  visit,
  title,
  lead,
  children,
}: {
  visit: Visit
  title: string
  lead: string
  children: ReactNode
}) {
  const { t } = usePageContext()
  const foot = (
    <>
      <a href="/setup">{t('setup.import_without')}</a> · <OtherLanguages visit={visit} />
    </>
  )
  return (
    <AuthLayout visit={visit} wide title={title} lead={lead} foot={foot}>
      {children}
    </AuthLayout>
  )
}
