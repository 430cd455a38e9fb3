/** Links and forms that work by themselves; with htmx only the page's content changes, in place. */
import { type ComponentProps, createContext, type ReactNode, useContext } from 'react'
import { usePageContext } from './page-context.tsx'

const inPlace = { 'hx-target': '#main', 'hx-swap': 'innerMorph' }

/** What has been sent is not sent again before its answer; buttons in it that send another form stay. */
const dropWhileSending = { 'hx-sync': 'drop', 'hx-disable': 'findAll [type=submit]:not([form])' }

/** For any control that leads to another view of the same page. */
export const viewRequest = (href: string) => ({
  'hx-get': href,
  'hx-push-url': 'true',
  // Of several in a row the last one counts.
  'hx-sync': '#main:replace',
  ...inPlace,
})

/** A link to another view of the same page: a drawer, a next page, an opened row. */
export const PageLink = ({ href, ...rest }: ComponentProps<'a'> & { href: string }) => (
  <a href={href} {...viewRequest(href)} {...rest} />
)

interface FormState {
  values: Record<string, unknown>
  errors: Record<string, string | undefined>
}

const FormStateContext = createContext<FormState>({ values: {}, errors: {} })

/** What a field of this name holds and what is wrong with it. */
export function useFieldState(name: string): { value: string | undefined; error: string | undefined } {
  const { values, errors } = useContext(FormStateContext)
  const value = values[name]
  return { value: value === undefined || value === null ? undefined : String(value), error: errors[name] }
}

export interface FormProps extends Omit<ComponentProps<'form'>, 'action' | 'method'> {
  /** The page's own POST address; it answers with a redirect, or with the page and its errors. */
  action: string
  /** What the fields start from, by name. */
  values?: object
  errors?: FormState['errors']
  /** Sent along as `returnTo`: the view to come back to. */
  returnTo?: string
  /** Leads out of this page's frame, as signing in does: the browser sends it by itself. */
  fullPage?: boolean
  children: ReactNode
}

/** A form that changes something. */
export function Form({ action, values = {}, errors = {}, returnTo, fullPage, children, ...rest }: FormProps) {
  const { csrf } = usePageContext()
  const enhanced = fullPage ? {} : { 'hx-post': action, 'hx-replace-url': 'true', ...dropWhileSending, ...inPlace }
  return (
    <form method="post" action={action} {...enhanced} {...rest}>
      <input type="hidden" name="csrf" value={csrf} />
      {returnTo !== undefined && <input type="hidden" name="returnTo" value={returnTo} />}
      <FormStateContext value={{ values: values as FormState['values'], errors }}>{children}</FormStateContext>
    </form>
  )
}

/** One button that changes something, in a form of its own. */
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
