/** Links and forms. They work without JavaScript; htmx morphs only the content of the page. */
import { type ComponentProps, createContext, type ReactNode, useContext } from 'react'
import { usePageContext } from './page-context.tsx'

const inPlace = { 'hx-target': '#main', 'hx-swap': 'innerMorph' }

/** Drops a second submit before the response. Buttons that submit another form stay enabled. */
const dropWhileSending = { 'hx-sync': 'drop', 'hx-disable': 'findAll [type=submit]:not([form])' }

/** htmx attributes of a control that loads another view of the page. */
export const viewRequest = (href: string) => ({
  'hx-get': href,
  'hx-push-url': 'true',
  // The latest of several requests wins.
  'hx-sync': '#main:replace',
  ...inPlace,
})

/** Link to another view of the page: a drawer, the next page, an open row. */
export const PageLink = ({ href, ...rest }: ComponentProps<'a'> & { href: string }) => (
  <a href={href} {...viewRequest(href)} {...rest} />
)

/** htmx attributes of a control that opens a drawer or dialog over the list of its page: only that is sent, into `Overlay`. */
export const overlayRequest = (href: string) => ({ ...viewRequest(href), 'hx-target': '#overlay' })

export const OverlayLink = ({ href, ...rest }: ComponentProps<'a'> & { href: string }) => (
  <a href={href} {...overlayRequest(href)} {...rest} />
)

/** Where drawers and dialogs open over a list. */
export const Overlay = ({ children }: { children: ReactNode }) => <div id="overlay">{children}</div>

interface FormState {
  values: Record<string, unknown>
  errors: Record<string, string | undefined>
}

const FormStateContext = createContext<FormState>({ values: {}, errors: {} })

/** Value and error of the field in the surrounding form. */
export function useFieldState(name: string): { value: string | undefined; error: string | undefined } {
  const { values, errors } = useContext(FormStateContext)
  const value = values[name]
  return { value: value === undefined || value === null ? undefined : String(value), error: errors[name] }
}

export interface FormProps extends Omit<ComponentProps<'form'>, 'action' | 'method'> {
  /** POST path of the page; the response is a redirect, or the page with errors. */
  action: string
  /** Initial values by field name. */
  values?: object
  errors?: FormState['errors']
  /** View to return to; sent as `returnTo`. */
  returnTo?: string
  /** Submitted without htmx: the next page has another frame, as after a sign-in. */
  fullPage?: boolean
  children: ReactNode
}

/** POST form with a CSRF token. The server checks the fields, so errors look the same with and without script. */
export function Form({ action, values = {}, errors = {}, returnTo, fullPage, children, ...rest }: FormProps) {
  const { csrf } = usePageContext()
  const enhanced = fullPage ? {} : { 'hx-post': action, 'hx-replace-url': 'true', ...dropWhileSending, ...inPlace }
  return (
    <form method="post" action={action} noValidate {...enhanced} {...rest}>
      <input type="hidden" name="csrf" value={csrf} />
      {returnTo !== undefined && <input type="hidden" name="returnTo" value={returnTo} />}
      <FormStateContext value={{ values: values as FormState['values'], errors }}>{children}</FormStateContext>
    </form>
  )
}

/** Enter presses the first submit button of a form: with this one it only submits the form, whatever buttons come first. */
export const DefaultSubmit = () => <button type="submit" className="hidden" tabIndex={-1} aria-hidden="true" />

/** Button in a form of its own. */
export function ActionButton({
  action,
  returnTo,
  name,
  value,
  className = 'btn btn-ghost btn-sm',
  children,
  ...rest
}: Omit<ComponentProps<'button'>, 'formAction'> & { action: string; returnTo?: string }) {
  return (
    <Form action={action} returnTo={returnTo} className="contents">
      <button type="submit" name={name} value={value} className={className} {...rest}>
        {children}
      </button>
    </Form>
  )
}

const ROW_FORM = 'row-form'

/** The one form that the buttons of all rows of a list send: its token, and the view to return to. */
export const RowForm = ({ action, returnTo }: { action: string; returnTo: string }) => (
  <Form id={ROW_FORM} action={action} returnTo={returnTo} hidden>
    {null}
  </Form>
)

/** Submit button of the list's `RowForm`, sent to an address of its own. */
export const RowButton = ({
  action,
  className = 'btn btn-ghost btn-sm',
  ...rest
}: Omit<ComponentProps<'button'>, 'form' | 'formAction'> & { action: string }) => (
  <button
    type="submit"
    form={ROW_FORM}
    formAction={action}
    hx-post={action}
    hx-replace-url="true"
    hx-sync="drop"
    {...inPlace}
    className={className}
    {...rest}
  />
)
