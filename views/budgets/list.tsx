/** Budgets in the drawer of their owner: what is used, held and left of each, and when it opens again. */
import Plus from 'lucide/dist/esm/icons/plus.mjs'
import { Fragment } from 'react'
import { Icon } from '../../client/components/icon.tsx'
import { OverlayLink } from '../../client/components/link.tsx'
import { At } from '../../client/components/moment.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { balanceText } from '../../src/billing/quota.ts'
import { BUDGETS_PER_OWNER_MAX, type Budget } from '../../src/contracts/budget.ts'
import { amountText, isGivenName, nameText } from '../../src/contracts/budget-words.ts'
import type { BudgetPlace } from './view.ts'
import { isOwnZone, shareText, windowText } from './words.ts'

interface BudgetListProps {
  budgets: Budget[]
  /** Absent where budgets are read alone. */
  place?: BudgetPlace
  /** Id of the owner. */
  of?: number
}

export function BudgetList({ budgets, place, of }: BudgetListProps) {
  const { t } = usePageContext()
  return (
    <>
      {budgets.length > 0 && (
        <ul className="budget-list" aria-label={t('budget.budgets')}>
          {budgets.map(budget => (
            <BudgetRow key={budget.id} budget={budget} href={place?.at({ budget: budget.id })} />
          ))}
        </ul>
      )}
      {place && of && budgets.length < BUDGETS_PER_OWNER_MAX && (
        <OverlayLink className="btn btn-sm justify-self-start" href={place.at({ new_budget: of })}>
          <Icon of={Plus} small />
          {t('budget.add')}
        </OverlayLink>
      )}
    </>
  )
}

function BudgetRow({ budget, href }: { budget: Budget; href?: string }) {
  const { t, currency, zone } = usePageContext()
  const { amount, used, reserved, models, refuses, unit, per_key } = budget
  const name = nameText(budget.name, t)
  const text = (value: number) => amountText(value, unit, t, quota => balanceText(quota, currency))
  const facts = [
    !(isGivenName(budget.name) && isOwnZone(budget, zone)) && windowText(budget, t, zone),
    per_key && t('budget.for_each_key'),
    models.length > 0 && models.join(', '),
    !refuses && t('budget.only_notifies'),
    !per_key && reserved > 0 && t('budget.held', { held: text(reserved) }),
  ].filter(Boolean)
  return (
    <li>
      {href ? (
        <OverlayLink className="name hover:underline" href={href}>
          {name}
        </OverlayLink>
      ) : (
        <span className="name">{name}</span>
      )}
      <span className="number">{per_key ? text(amount) : shareText(budget, t, currency)}</span>
      {!per_key && <Meter budget={budget} name={name} />}
      {facts.length > 0 && <small>{facts.join(' · ')}</small>}
      {per_key ? (
        <UseOfKeys of={budget} />
      ) : (
        <small className="next">
          {t('budget.left', { left: text(Math.max(0, amount - used - reserved)) })} · <Opening of={budget} />
        </small>
      )}
    </li>
  )
}

const KEYS_SHOWN_MAX = 12

/** The fullest keys of a channel first. */
function UseOfKeys({ of: budget }: { of: Budget }) {
  const { t, currency } = usePageContext()
  const keys = (budget.keys ?? []).toSorted((one, other) => other.used - one.used)
  return (
    <>
      {keys.slice(0, KEYS_SHOWN_MAX).map(({ key, ...use }, at) => (
        // Keys are masked: two of them may look alike.
        // biome-ignore lint/suspicious/noArrayIndexKey: rendered once
        <Fragment key={at}>
          <code>{key}</code>
          <span className="number">{shareText({ ...budget, ...use }, t, currency)}</span>
          <Meter budget={{ ...budget, ...use }} name={key} />
        </Fragment>
      ))}
      {keys.length > KEYS_SHOWN_MAX && <small>{t('budget.more_keys', { count: keys.length - KEYS_SHOWN_MAX })}</small>}
      <small className="next">
        <Opening of={budget} />
      </small>
    </>
  )
}

/** Shares from which a budget is nearly used up, and is. */
const HIGH = 0.8

function Meter({ budget, name }: { budget: Budget; name: string }) {
  const { t, currency } = usePageContext()
  const { amount, used } = budget
  const share = amount ? Math.min(1, used / amount) : 1
  const tone = share === 1 ? ' out' : share >= HIGH ? ' low' : ''
  return (
    <span
      className={`meter${tone}`}
      role="meter"
      aria-label={name}
      aria-valuenow={Math.min(used, amount)}
      aria-valuemin={0}
      aria-valuemax={amount}
      aria-valuetext={shareText(budget, t, currency)}
    >
      <i style={{ width: `${share * 100}%` }} />
    </span>
  )
}

function Opening({ of: { window, ends_at } }: { of: Budget }) {
  const { t } = usePageContext()
  if (window === 'all') return t('budget.never_renews')
  if (ends_at === null) return t('budget.opens_with_call')
  return (
    <>
      {t('budget.opens_again')} <At at={ends_at} />
    </>
  )
}
