/** The system prompt, and those that the browser keeps. */
import { useId, useSyncExternalStore } from 'react'
import { usePageContext } from '../components/page-context.tsx'
import { titleOf } from './conversation.ts'
import { usePlayground } from './session-context.tsx'

export function SystemPrompt({ value }: { value: string }) {
  const { t } = usePageContext()
  const { session } = usePlayground()
  const { prompts } = useSyncExternalStore(session.subscribe, session.get, session.get)
  const id = useId()
  const saved = prompts.find(({ text }) => text === value)
  return (
    <div className="field">
      <label htmlFor={id}>{t('playground.system')}</label>
      <textarea
        id={id}
        className="textarea"
        rows={3}
        value={value}
        onChange={({ target }) => session.change({ system: target.value })}
      />
      <div className="prompt-actions">
        {prompts.length > 0 && (
          <select
            className="select select-sm"
            aria-label={t('playground.prompts')}
            value={saved?.id ?? ''}
            onChange={({ target }) =>
              session.change({ system: prompts.find(prompt => prompt.id === target.value)?.text ?? '' })
            }
          >
            <option value="">{t('playground.prompts')}</option>
            {prompts.map(prompt => (
              <option key={prompt.id} value={prompt.id}>
                {titleOf(prompt.text)}
              </option>
            ))}
          </select>
        )}
        {saved ? (
          <button type="button" className="btn btn-ghost btn-sm" onClick={() => session.removePrompt(saved.id)}>
            {t('playground.prompt_delete')}
          </button>
        ) : (
          <button
            type="button"
            className="btn btn-ghost btn-sm"
            disabled={!value.trim()}
            onClick={() => session.savePrompt(value)}
          >
            {t('playground.prompt_save')}
          </button>
        )}
      </div>
    </div>
  )
}
