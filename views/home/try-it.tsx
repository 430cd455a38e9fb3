/** A visitor's own call: the prompt, the answer as it comes, and its receipt. */
import { usePageContext } from '../../client/components/page-context.tsx'
import { TRY_IT_PROMPT_MAX } from '../../src/contracts/try-it.ts'

export function TryIt({ model }: { model: string }) {
  const { t } = usePageContext()
  return (
    <tollgate-try-it model={model} class="try-it script-only">
      <form>
        <label className="sr-only" htmlFor="try-it-prompt">
          {t('home.try_prompt_label')}
        </label>
        <input
          id="try-it-prompt"
          name="prompt"
          className="input grow"
          maxLength={TRY_IT_PROMPT_MAX}
          placeholder={t('home.try_placeholder')}
          autoComplete="off"
          required
        />
        <button type="submit" className="btn">
          {t('home.try')}
        </button>
      </form>
      <p className="help">{t('home.try_help', { model })}</p>
      <div role="status" className="answer" />
      <div className="paper" />
    </tollgate-try-it>
  )
}
