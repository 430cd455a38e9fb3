/** A sheet over the playground, which state of the browser opens. Esc and the scrim close it. */
import X from 'lucide/dist/esm/icons/x.mjs'
import { type ReactNode, useEffect, useId, useRef } from 'react'
import { Icon } from '../components/icon.tsx'
import { usePageContext } from '../components/page-context.tsx'

interface OverlayProps {
  title: string
  close: () => void
  children: ReactNode
}

export function Overlay({ title, close, children }: OverlayProps) {
  const { t } = usePageContext()
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => dialog.current?.showModal(), [])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Esc closes every dialog
    <dialog
      ref={dialog}
      className="layer"
      aria-labelledby={id}
      onClose={close}
      onClick={({ target, currentTarget }) => target === currentTarget && close()}
    >
      <section className="sheet">
        <header>
          <h2 id={id}>{title}</h2>
          <button type="button" className="icon-button" aria-label={t('ui.close')} onClick={close}>
            <Icon of={X} />
          </button>
        </header>
        <div>{children}</div>
      </section>
    </dialog>
  )
}
