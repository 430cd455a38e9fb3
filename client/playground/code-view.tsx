/** The current request as a program. */
import { useState } from 'react'
import { Copy } from '../components/copy.tsx'
import { usePageContext } from '../components/page-context.tsx'
import { programs } from './as-code.ts'
import type { ChatBody } from './conversation.ts'

export function CodeView({ base, body }: { base: string; body: ChatBody }) {
  const { t } = usePageContext()
  const [chosen, setChosen] = useState<(typeof programs)[number]['id']>('curl')
  const code = programs.find(({ id }) => id === chosen)!.write(base, body)
  return (
    <>
      <p className="help">{t('playground.code_help')}</p>
      <div className="code">
        <div>
          {programs.map(({ id, label }) => (
            <button key={id} type="button" aria-pressed={id === chosen} onClick={() => setChosen(id)}>
              {label}
            </button>
          ))}
          <span />
          <Copy text={code} className="icon-button" label={t('playground.copy_code')} />
        </div>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */}
        <pre tabIndex={0}>
          <code>{code}</code>
        </pre>
      </div>
    </>
  )
}
