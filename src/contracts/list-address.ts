/** Address of a list: its filters, its page, and what is open over it. */
import { z } from 'zod'
import { commaList } from '../pure/lists.ts'
import { optional, PAGE_SIZE_MAX, pageOf } from './paging.ts'

type Overlay = string | Record<string, number | string | readonly number[] | undefined>

/**
 * @param view filters by name; empty ones and page 1 are left out
 * @param overlay ids of the open drawer or dialog by its name, or the name alone: `new`
 * @returns such as `/app/tokens?keyword=crawler&p=2&edit=3`
 */
export function addressOf(path: string, { page = 1, ...filters }: { page?: number }, overlay: Overlay = {}): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(filters))
    if (value !== undefined && value !== '') query.set(name, String(value))
  if (page > 1) query.set('p', String(page))
  if (typeof overlay === 'object')
    for (const [name, id] of Object.entries(overlay)) if (id !== undefined) query.set(name, String(id))
  const text = [query.toString(), typeof overlay === 'string' ? overlay : ''].filter(Boolean).join('&')
  return text ? `${path}?${text}` : path
}

/** A drawer or dialog without an id: its name alone stands in the address. */
export const shown = z.string().optional()

/** The id of the row that a drawer or dialog is about. */
export const rowId = z.coerce.number().pipe(z.int().positive()).optional().catch(undefined)

/** Ids of rows; at most as many as a page can have. */
export const idsIn = (texts: string[]): number[] =>
  texts.map(Number).filter(Number.isSafeInteger).slice(0, PAGE_SIZE_MAX)

/** The ids of several rows, as a comma list. */
export const rowIds = optional.transform(text => idsIn(commaList(text ?? '')))

type Shape = Record<string, z.ZodType>
type Values<S extends Shape> = z.output<z.ZodObject<S>>

/** What the address of a list page holds. `overlay` is an id or ids by its parameter, or the name of one without. */
export function listAddress<Path extends string, Filters extends Shape, Overlays extends Shape>(
  path: Path,
  filters: Filters,
  overlays: Overlays,
) {
  type View = { page?: number } & Partial<Values<Filters>>
  type Open = (keyof Overlays & string) | { [Name in keyof Overlays]?: number | string | readonly number[] }
  const query = z.object({ p: optional, ...filters, ...overlays })
  return {
    path,
    query,
    at: (view: View, overlay?: Open) => addressOf(path, view, overlay as Overlay),
    /** Target of a form: `3`, `3/switch`, `3,4/delete`. The view is shown again when the form is refused. */
    action: (view: View, action: string, overlay?: Open) => addressOf(`${path}/${action}`, view, overlay as Overlay),
    /** CSV of the whole search, or of what `overlay` names. */
    csv: (view: View, overlay?: Open) => addressOf(`${path}/export.csv`, { ...view, page: 1 }, overlay as Overlay),
    viewOf: (values: Values<Filters> & { p?: string }): View => {
      const named = Object.entries(values).filter(([name]) => Object.hasOwn(filters, name))
      return { ...(Object.fromEntries(named) as Partial<Values<Filters>>), page: pageOf({ p: values.p }, 1).page }
    },
  }
}

export type ViewOf<Address extends { at: (view: never) => string }> = Parameters<Address['at']>[0]
