/** Pages that set a site up by the database of another gateway; like the set-up, they exist until it is done. */
import { Elysia } from 'elysia'
import { ImportChecked, ImportFailed, ImportForm, ImportRunning } from '../../../views/setup/import.tsx'
import { IMPORT_UPLOAD_MB_MAX, PRICES_OF, type PricesOf, SETUP_IMPORT_PATH } from '../../contracts/moving-in.ts'
import { Refusal } from '../../contracts/refusal.ts'
import type { Visit } from '../../contracts/visit.ts'
import {
  beginUpload,
  CannotMove,
  checkUpload,
  mayUpload,
  startMove,
  type Upload,
  type UploadFile,
  uploadOf,
} from '../../domain/moving-in/index.ts'
import { checkSetupToken, needsSetupToken } from '../../domain/setup/index.ts'
import { translate } from '../../locales/index.ts'
import { log, reason } from '../../process/log.ts'
import { StartupError } from '../../process/shutdown.ts'
import { readFileForm } from '../../web/file-form.ts'
import { errorsOf } from '../../web/forms.ts'
import { checkLimit } from '../../web/ip-rate-limit.ts'
import { guard } from '../guard.ts'
import { redirectTo, render } from '../page.tsx'

const REFRESH_SECONDS = '2'
const DAYS_MAX = 3650

export const setupImportPages = new Elysia()
  .use(guard)
  .get(SETUP_IMPORT_PATH, async ({ request, visit }) => formPage(request, visit), { page: 'setup' })
  .get(`${SETUP_IMPORT_PATH}/:id`, ({ request, visit, params }) => uploadPage(request, visit, params.id), {
    page: 'setup',
  })
  .post(
    SETUP_IMPORT_PATH,
    async ({ request, server, visit }) => {
      await checkLimit('critical', request, server, 'setup')
      if (!(await mayUpload())) return redirectTo('/setup')
      const fields: Record<string, string> = {}
      try {
        return redirectTo(pathOf(await received(request, fields)))
      } catch (error) {
        return formPage(request, visit, fields, errorsOf(asRefusal(error, visit), visit.language))
      }
    },
    // The form is read as it arrives.
    { page: 'setup', parse: 'none' },
  )
  .post(
    `${SETUP_IMPORT_PATH}/:id`,
    async ({ request, server, visit, params }) => {
      await checkLimit('critical', request, server, 'setup')
      const upload = uploadOf(params.id)
      if (!upload) return expired(visit)
      startMove(upload)
      return redirectTo(pathOf(upload))
    },
    { page: 'setup', parse: 'none' },
  )

const pathOf = ({ id }: Upload) => `${SETUP_IMPORT_PATH}/${id}`

/** Fills `filled` with what is shown again. @throws what is wrong with the form or the file */
async function received(request: Request, filled: Record<string, string>): Promise<Upload> {
  let file: UploadFile | undefined
  const max_mb = IMPORT_UPLOAD_MB_MAX
  try {
    const fields = await readFileForm(request, {
      max_mb,
      async open(filename, fields) {
        Object.assign(filled, fields)
        wishesIn(fields)
        const opened = await beginUpload(filename)
        file = opened
        return opened.write
      },
    })
    Object.assign(filled, fields)
    const wishes = wishesIn(fields)
    if (!file) throw new Refusal('setup.import_file_missing', {}, 400, 'file')
    await file.close()
    return await checkUpload(file, wishes)
  } finally {
    await file?.close().catch(() => {})
  }
}

/** @throws Refusal at a field; the token first */
function wishesIn({ setup_token = '', prices = 'theirs', days = '' }: Record<string, string>) {
  checkSetupToken(setup_token)
  const logDays = Number(days || 0)
  if (!Number.isInteger(logDays) || logDays < 0 || logDays > DAYS_MAX)
    throw new Refusal('setup.import_days_wrong', {}, 400, 'days')
  return { prices: PRICES_OF.find(known => known === prices) ?? ('theirs' satisfies PricesOf), logDays }
}

/** Of the file; others stay as they are. */
function asRefusal(error: unknown, { language }: Visit): unknown {
  if (error instanceof CannotMove) return new Refusal(error.key, error.params, 400, 'file')
  if (error instanceof StartupError) {
    log.warn('upload cannot be read', { reason: reason(error), language })
    return new Refusal('setup.import_unreadable', {}, 400, 'file')
  }
  return error instanceof Refusal && error.code === 'error.too_large'
    ? new Refusal(error.code, error.params, error.status, 'file')
    : error
}

const expired = ({ language }: Visit) =>
  redirectTo(SETUP_IMPORT_PATH, { kind: 'error', text: translate(language, 'setup.import_expired') })

async function formPage(
  request: Request,
  visit: Visit,
  fields: Record<string, string> = {},
  errors?: Record<string, string>,
) {
  if (!(await mayUpload())) return redirectTo('/setup')
  const values = { prices: fields.prices ?? 'theirs', days: fields.days ?? '0' }
  const page = <ImportForm visit={visit} needsToken={needsSetupToken()} values={values} errors={errors} />
  return render(request, visit, page, { ...frameOf(visit), status: errors ? 422 : 200 })
}

async function uploadPage(request: Request, visit: Visit, id: string) {
  const upload = uploadOf(id)
  if (!upload) return expired(visit)
  const { state, report, counts, failure } = upload
  if (state === 'checked')
    return render(
      request,
      visit,
      <ImportChecked visit={visit} action={pathOf(upload)} report={report} />,
      frameOf(visit),
    )
  if (state === 'running') {
    const page = <ImportRunning visit={visit} report={report} counts={counts} />
    return render(request, visit, page, { ...frameOf(visit), headers: { refresh: REFRESH_SECONDS } })
  }
  const why =
    failure instanceof CannotMove
      ? translate(visit.language, failure.key, failure.params)
      : translate(visit.language, 'setup.import_failed_why')
  return render(request, visit, <ImportFailed visit={visit} why={why} />, frameOf(visit))
}

const frameOf = ({ language }: Visit) => ({ title: translate(language, 'setup.import_title'), frame: 'auth' }) as const
