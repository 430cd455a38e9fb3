/** Island: sends an operation of the API from the page and shows the response. */
import { useId, useState } from 'react'
import type { ApiOperation } from '../../src/contracts/api-docs.ts'
import { usePageContext } from '../components/page-context.tsx'
import { type ApiResult, sendOperation } from './send.ts'

interface ApiTryProps {
  operation: ApiOperation
  /** The reader's own API keys. */
  keys: { id: number; name: string }[]
  signed_in: boolean
  model: string
}

export default function ApiTry({ operation, keys, signed_in, model }: ApiTryProps) {
  const { t } = usePageContext()
  const id = useId()
  const [result, setResult] = useState<ApiResult>()
  const [isSending, setIsSending] = useState(false)
  const { access, fields, body_type, has_effect, of_relay } = operation
  const needsKey = access === 'key'
  const inputs = fields.filter(({ place }) => place !== 'body')
  if (access !== 'anyone' && !signed_in) return <p className="help m-0">{t('api_try.sign_in')}</p>
  if (needsKey && !keys.length) return <p className="help m-0">{t('api_try.no_key')}</p>
  const send = async (form: FormData) => {
    setIsSending(true)
    setResult(await sendOperation(operation, form))
    setIsSending(false)
  }
  return (
    <form
      className="docs-try"
      onSubmit={event => {
        event.preventDefault()
        send(new FormData(event.currentTarget))
      }}
    >
      <b>{t('api_try.title')}</b>
      <noscript>
        <p className="help m-0">{t('api_try.needs_script')}</p>
      </noscript>
      {needsKey && (
        <div className="field">
          <label htmlFor={id}>{t('api_try.key')}</label>
          <select id={id} name="key" className="select">
            {keys.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </div>
      )}
      {inputs.length > 0 && (
        <div className="docs-inputs">
          {inputs.map(({ name, place, is_required }) => (
            <label className="field" key={`${place} ${name}`}>
              <span className="mono">{name}</span>
              <input
                name={`${place} ${name}`}
                className="input"
                required={is_required}
                defaultValue={place === 'path' && name === 'model' ? model : ''}
              />
            </label>
          ))}
        </div>
      )}
      {body_type === 'json' && (
        <label className="field">
          {t('api_try.body')}
          <textarea
            name="body"
            className="textarea mono"
            rows={8}
            defaultValue={operation.example || '{}'}
            spellCheck={false}
          />
        </label>
      )}
      {of_relay && has_effect && <p className="help m-0">{t('api_try.billed')}</p>}
      {!of_relay && has_effect && (
        <label className="inline-flex items-center gap-2">
          <input type="checkbox" className="checkbox" name="agreed" required />
          {t('api_try.agree')}
        </label>
      )}
      <span>
        <button type="submit" className="btn btn-primary" disabled={isSending}>
          {t(isSending ? 'api_try.sending' : 'api_try.send')}
        </button>
      </span>
      <output aria-live="polite">
        {result && (
          <>
            <p className="m-0">
              {result.failed
                ? t('api_try.unreachable')
                : t('api_try.result', { status: result.status, milliseconds: result.milliseconds })}
            </p>
            {result.text && <pre className="docs-result">{result.text}</pre>}
          </>
        )}
      </output>
    </form>
  )
}
