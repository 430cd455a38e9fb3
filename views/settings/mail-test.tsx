/** Button that sends a test mail, with its result. */
import Send from 'lucide/dist/esm/icons/send.mjs'
import { TextField } from '../../client/components/field.tsx'
import { Icon } from '../../client/components/icon.tsx'
import { Form } from '../../client/components/link.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { OutcomeNote } from './outcome-note.tsx'
import { MAIL_TEST_PATH, type ToolOutcome } from './view.ts'

const inPart = { 'hx-target': '#mail-test', 'hx-swap': 'outerMorph', 'hx-replace-url': undefined }

export function MailTest({ to, outcome }: { to: string; outcome?: ToolOutcome }) {
  const { t } = usePageContext()
  return (
    <div id="mail-test">
      <Form action={MAIL_TEST_PATH} values={{ to }} className="setting-tool" {...inPart}>
        <TextField
          name="to"
          type="email"
          label={t('assist.mail_to')}
          help={t('assist.mail_help')}
          autoComplete="off"
          required
        />
        <button type="submit" className="btn">
          <Icon of={Send} small />
          {t('assist.mail_send')}
        </button>
      </Form>
      <OutcomeNote outcome={outcome} />
    </div>
  )
}
