/** Drawers of budgets over the page of their owner, and what their forms do. */
import type { ReactNode } from 'react'
import { BudgetDrawer, DeleteBudget, NewBudgetDrawer } from '../../views/budgets/drawer.tsx'
import type { BudgetPlace } from '../../views/budgets/view.ts'
import type { Budget, NewBudget } from '../contracts/budget.ts'
import { nameText } from '../contracts/budget-words.ts'
import { notFound, Refusal } from '../contracts/refusal.ts'
import {
  type BudgetManager,
  budgetFor,
  createBudget,
  deleteBudget,
  editBudget,
  listBudgetsFor,
} from '../domain/account/index.ts'
import { translator } from '../locales/index.ts'
import { BudgetForm, editIn, formOf, newBudgetIn, newForm } from './budget-form.ts'
import { act, back, idempotent, openAt, type PageRequest, submit } from './list-page.ts'

interface Query {
  budget?: number
  new_budget?: number
  delete_budget?: number
}

/** The page of the owners. */
interface OwnersPage<Page> {
  place: (page: Page) => BudgetPlace
  manager: (page: Page) => BudgetManager
  /** The list with a drawer over it. */
  show: (page: Page, drawer: ReactNode) => Promise<Response>
}

type Errors = Record<string, string>

export function budgetForms<Page extends PageRequest<Query>>({ place, manager, show }: OwnersPage<Page>) {
  type OfRow = Page & { params: { id: number } }

  /** @throws Refusal 404 for one of another kind of owner */
  async function budgetOn(page: Page, id: number): Promise<Budget> {
    const budget = await budgetFor(manager(page), id)
    if (budget.owner !== place(page).owner) throw notFound('budget.not_found')
    return budget
  }

  const newDrawer = (page: Page, owner_id: number, form = newForm(page.visit), errors: Errors = {}) => (
    <NewBudgetDrawer place={place(page)} owner_id={owner_id} form={form} errors={errors} />
  )

  const drawer = (page: Page, budget: Budget, form = formOf(budget, page.visit), errors: Errors = {}) => (
    <BudgetDrawer place={place(page)} budget={budget} form={form} errors={errors} />
  )

  const open = (page: Page, overlay: { budget: number } | { new_budget: number }) =>
    openAt(page, overlay as Partial<Page['query']>, place(page).at(overlay))

  return {
    /** @returns undefined when the address opens none */
    async overlayOf(page: Page): Promise<ReactNode> {
      const { budget, new_budget, delete_budget } = page.query
      if (new_budget) {
        await listBudgetsFor(manager(page), place(page).owner, new_budget)
        return newDrawer(page, new_budget)
      }
      if (budget) return drawer(page, await budgetOn(page, budget))
      if (delete_budget) return <DeleteBudget place={place(page)} budget={await budgetOn(page, delete_budget)} />
    },

    create(page: OfRow): Promise<Response> {
      const owner_id = page.params.id
      const { owner } = place(page)
      const form = BudgetForm.parse(page.body)
      const work = async () => {
        const budget = newBudgetIn(form, page.visit, { owner, owner_id })
        const { name } = await idempotent(page, form, async key => {
          checkDistinct(page, budget, await listBudgetsFor(manager(page), owner, owner_id))
          return createBudget(manager(page), budget, key)
        })
        return back(page, 'budget.added', { name })
      }
      const opened = open(page, { new_budget: owner_id })
      return act(page, () =>
        submit(page, work, async errors => show(opened, newDrawer(opened, owner_id, form, atFields(errors)))),
      )
    },

    async save(page: OfRow): Promise<Response> {
      const budget = await budgetOn(page, page.params.id)
      const form = BudgetForm.parse(page.body)
      const work = async () => {
        const { name } = await editBudget(manager(page), budget.id, editIn(form, budget, page.visit))
        return back(page, 'budget.saved', { name: shownName(page, name) })
      }
      const opened = open(page, { budget: budget.id })
      return act(page, () => submit(page, work, async errors => show(opened, drawer(opened, budget, form, errors))))
    },

    async remove(page: OfRow): Promise<Response> {
      const { id, name } = await budgetOn(page, page.params.id)
      return act(page, async () => {
        await deleteBudget(manager(page), id)
        return back(page, 'budget.deleted', { name: shownName(page, name) })
      })
    },
  }
}

const shownName = ({ visit }: PageRequest, name: string) => nameText(name, translator(visit.language))

/** The form has the length of a window in place of its seconds. */
const atFields = ({ seconds, ...errors }: Errors): Errors => ({ ...errors, ...(seconds && { length: seconds }) })

/** Of two budgets of the same windows, the larger one would never decide. @throws Refusal 400 */
function checkDistinct(page: PageRequest, budget: NewBudget, others: readonly Budget[]) {
  const keyOf = ({ unit, window, seconds, anchor, zone, models, per_key }: NewBudget | Budget) =>
    JSON.stringify([unit, window, seconds, anchor, zone, per_key, [...models].sort()])
  const twin = others.find(other => keyOf(other) === keyOf(budget) && other.refuses === budget.refuses)
  if (twin) throw new Refusal('budget.exists', { name: shownName(page, twin.name) }, 400, 'window')
}
