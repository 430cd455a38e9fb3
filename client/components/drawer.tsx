/** Drawers and dialogs; each has a URL of its own. */
import X from 'lucide/dist/esm/icons/x.mjs'
import type { ReactNode } from 'react'
import { Icon } from './icon.tsx'
import { DefaultSubmit, Form, type FormProps, OverlayLink, PageLink } from './link.tsx'
import { usePageContext } from './page-context.tsx'
import { RichText } from './rich-text.tsx'

interface OverlayProps {
  title: ReactNode
  /** URL of the page without it. */
  close: string
  /** Closing leaves the list behind it as it is. */
  keepsList?: boolean
  children?: ReactNode
}

/** A form when `action` is set; its footer has the button `submit`. */
export function Drawer({
  title,
  close,
  wide,
  action,
  submit,
  footer,
  keepsList,
  children,
  ...form
}: OverlayProps & Partial<Omit<FormProps, 'title'>> & { wide?: boolean; submit?: ReactNode; footer?: ReactNode }) {
  const { t } = usePageContext()
  const sheet = wide ? 'sheet wide' : 'sheet'
  const Close = keepsList ? OverlayLink : PageLink
  const inside = (
    <>
      {submit && <DefaultSubmit />}
      <header>
        <h2 id="drawer-title" className="line-clamp-2 wrap-anywhere">
          {title}
        </h2>
        <Close href={close} className="icon-button" aria-label={t('ui.close')} data-close>
          <Icon of={X} />
        </Close>
      </header>
      <div>{children}</div>
      {(submit || footer) && (
        <footer>
          {submit && (
            <button type="submit" className="btn btn-primary">
              {submit}
            </button>
          )}
          {submit && (
            <PageLink href={close} className="btn btn-ghost" data-close>
              {t('ui.cancel')}
            </PageLink>
          )}
          {footer ?? (submit && <kbd className="script-only wide-only ml-auto font-sans ink-3">Ctrl Enter</kbd>)}
        </footer>
      )}
    </>
  )
  return (
    <Layer of={action ?? 'reading'} close={close} labelledby="drawer-title" keepsList={keepsList}>
      {action === undefined ? (
        <section className={sheet}>{inside}</section>
      ) : (
        <Form action={action} {...form} className={sheet}>
          {inside}
        </Form>
      )}
    </Layer>
  )
}

/** Group of fields under a heading. */
export const Fields = ({ title, children }: { title: ReactNode; children: ReactNode }) => (
  <fieldset>
    <legend>
      <b>{title}</b>
    </legend>
    {children}
  </fieldset>
)

/** Leads back to `close`, confirmed or not. */
interface ConfirmProps extends Omit<OverlayProps, 'children'> {
  text?: ReactNode
  /** Has to be typed when present; sent as `confirm`. */
  name?: string
  action: string
  submit: ReactNode
  /** Of a name that was typed wrong. */
  error?: string
  /** The page after it has another frame. */
  fullPage?: boolean
}

export function Confirm({ title, text, name, close, action, submit, error, fullPage }: ConfirmProps) {
  const { t } = usePageContext()
  return (
    <Layer of={action} close={close} labelledby="drawer-title">
      <Form action={action} returnTo={close} fullPage={fullPage} className="dialog">
        <h3 id="drawer-title">{title}</h3>
        {text && <p>{text}</p>}
        {name !== undefined && (
          <div className="field">
            <label htmlFor="confirm-name">
              <RichText text={t('ui.confirm_type', { name })} />
            </label>
            <input
              id="confirm-name"
              name="confirm"
              className="input"
              required
              pattern={escapePattern(name)}
              autoComplete="off"
              spellCheck={false}
              autoFocus
            />
          </div>
        )}
        {error && (
          <p className="error-text" role="alert">
            {error}
          </p>
        )}
        <div className="buttons">
          <PageLink href={close} className="btn btn-ghost" data-close>
            {t('ui.cancel')}
          </PageLink>
          <button type="submit" className="btn btn-error">
            {submit}
          </button>
        </div>
      </Form>
    </Layer>
  )
}

/** Informs by text or facts; the children are its buttons. */
export const Dialog = ({
  title,
  text,
  facts,
  close,
  keepsList,
  children,
}: OverlayProps & { text?: ReactNode; facts?: ReactNode }) => (
  <Layer of="dialog" close={close} labelledby="drawer-title" keepsList={keepsList}>
    <section className="dialog">
      <h3 id="drawer-title">{title}</h3>
      {text && <p>{text}</p>}
      {facts}
      <div className="buttons">{children}</div>
    </section>
  </Layer>
)

/** Escapes a name for the attribute `pattern`. The attribute is compiled with the flag `v`. */
const escapePattern = (name: string) => name.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')

interface LayerProps {
  /** Identity: a morph from one drawer to another replaces the element, so typed values are not carried over. */
  of: string
  close: string
  labelledby: string
  keepsList?: boolean
  children: ReactNode
}

/** An open dialog without JavaScript; `tollgate-drawer` makes it modal. */
export function Layer({ of, close, labelledby, keepsList, children }: LayerProps) {
  const Close = keepsList ? OverlayLink : PageLink
  return (
    <tollgate-drawer id={`overlay-${of}`} close={close}>
      <Close href={close} className="scrim" aria-hidden="true" tabIndex={-1} />
      <dialog open className="layer" aria-labelledby={labelledby}>
        {children}
      </dialog>
      <DiscardDialog mark="data-ask" />
    </tollgate-drawer>
  )
}

/** Asks before typed values are lost. @param mark attribute by which an element finds it */
export function DiscardDialog({ mark }: { mark: 'data-ask' | 'data-leave' }) {
  const { t } = usePageContext()
  return (
    <dialog className="layer" aria-labelledby={`${mark}-title`} {...{ [mark]: '' }}>
      <form method="dialog" className="dialog">
        <h3 id={`${mark}-title`}>{t('ui.discard')}</h3>
        <div className="buttons">
          <button type="submit" className="btn btn-ghost" value="keep" autoFocus>
            {t('ui.keep_editing')}
          </button>
          <button type="submit" className="btn btn-error" value="discard">
            {t('ui.discard_them')}
          </button>
        </div>
      </form>
    </dialog>
  )
}
