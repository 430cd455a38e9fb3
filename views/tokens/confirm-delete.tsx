/** Dialog that deletes more API keys than can be undone: confirmed by their number. */
import { Confirm } from '../../client/components/drawer.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import type { Token } from '../../src/contracts/token.ts'
import type { Translate } from '../../src/locales/index.ts'
import { type TokensView, tokensAction, tokensAt } from './view.ts'

const NAMED_MAX = 5

export function ConfirmDelete({ view, tokens, error }: { view: TokensView; tokens: Token[]; error?: string }) {
  const { t, language } = usePageContext()
  const count = tokens.length
  const shown = tokens.slice(0, NAMED_MAX).map(token => token.name)
  const names = new Intl.ListFormat(language, { type: 'conjunction' }).format(
    count > NAMED_MAX ? [...shown, t('token.and_more', { count: count - NAMED_MAX })] : shown,
  )
  return (
    <Confirm
      title={t('token.delete_many_title', { count })}
      text={t('token.delete_many_text', { names })}
      name={confirmationOf(tokens, t)}
      close={tokensAt(view)}
      action={tokensAction(view, `${tokens.map(token => token.id).join(',')}/delete`)}
      submit={t('token.delete_do')}
      error={error}
    />
  )
}

/** Text to type. */
export const confirmationOf = (tokens: Token[], t: Translate): string =>
  t('token.confirm_delete', { count: tokens.length })
