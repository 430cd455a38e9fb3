/** All prices of one model: each kind of token, its ratios, its tiers; the groups that can call it. */
import { Tag } from '../../client/components/badge.tsx'
import { Copy } from '../../client/components/copy.tsx'
import { PageLink } from '../../client/components/link.tsx'
import { Maker } from '../../client/components/maker.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import type { PriceLine } from '../../src/billing/price-lines.ts'
import type { GroupOffer } from '../../src/contracts/pricing.ts'
import { plain } from '../../src/pure/decimal.ts'
import { grouped } from '../../src/pure/number.ts'
import { Capabilities } from './capabilities.tsx'
import { NoPrice, PerUnit, Usd } from './price.tsx'
import { TaskConditions } from './task-conditions.tsx'
import { lineOf, type ModelPrices, type PricingView, pricingAt } from './view.ts'

interface DetailProps {
  model: ModelPrices
  view: PricingView
  groups: Record<string, GroupOffer>
  group: string
}

export function Detail({ model, view, groups, group }: DetailProps) {
  const { t } = usePageContext()
  return (
    <div className="price-detail">
      {model.kind === 'tokens' ? <Lines model={model} group={groups[group]!.ratio} /> : <Single model={model} />}
      <dl className="facts">
        <dt>{t('pricing.name')}</dt>
        <dd>
          <span className="mono wrap-anywhere">{model.name}</span>{' '}
          <Copy text={model.name} className="icon-button wide-only !h-5 !min-w-5 align-middle" />
        </dd>
        {model.vendor && (
          <>
            <dt>{t('pricing.vendor')}</dt>
            <dd>
              <Maker of={model.vendor} />
            </dd>
          </>
        )}
        {model.capabilities.length > 0 && (
          <>
            <dt>{t('pricing.capabilities')}</dt>
            <dd>
              <Capabilities of={model.capabilities} />
            </dd>
          </>
        )}
        <dt>{t('pricing.groups')}</dt>
        <dd className="tags">
          {model.groups.map(name => (
            <PageLink key={name} href={pricingAt({ ...view, group: name }, model.name)}>
              <Tag name={name} ratio={groups[name]?.ratio} />
            </PageLink>
          ))}
        </dd>
        <dt>{t('pricing.try')}</dt>
        <dd>
          <a className="text" href={`/playground?${new URLSearchParams({ model: model.name })}`}>
            {t('pricing.open_playground')}
          </a>
        </dd>
      </dl>
    </div>
  )
}

function Single({ model }: { model: ModelPrices }) {
  const { t } = usePageContext()
  return (
    <div>
      <p className="m-0">{model.kind === 'none' ? <NoPrice /> : <PerUnit model={model} />}</p>
      {model.task && <TaskConditions price={model.task} />}
      <p className="help mt-1 mb-0 max-w-prose">{t(helpOf(model))}</p>
    </div>
  )
}

const helpOf = ({ kind, task }: ModelPrices) =>
  task ? 'pricing.task_help' : kind === 'call' ? 'pricing.per_call_help' : 'pricing.no_price_help'

function Lines({ model, group }: { model: ModelPrices; group: number }) {
  const { t } = usePageContext()
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
    <div className="overflow-x-auto" role="region" aria-label={model.name} tabIndex={0}>
      <table className="price-lines">
        <caption className="sr-only">{model.name}</caption>
        <thead>
          <tr>
            <th scope="col">{t('pricing.per_million')}</th>
            <th scope="col" className="number">
              {model.tiers.length ? t('pricing.below', { tokens: grouped(model.tiers[0]!.from) }) : t('pricing.price')}
            </th>
            {model.tiers.map(({ from }) => (
              <th key={from} scope="col" className="number">
                {t('pricing.from', { tokens: grouped(from) })}
              </th>
            ))}
            <th scope="col" className="number">
              {t('pricing.ratios')}
            </th>
          </tr>
        </thead>
        <tbody>
          {model.lines.map(line => (
            <Line key={line.bucket} line={line} model={model} group={group} />
          ))}
        </tbody>
      </table>
      {model.tiers.length > 0 && <p className="help mt-2 mb-0">{t('pricing.tiers_help')}</p>}
    </div>
  )
}

function Line({ line, model, group }: { line: PriceLine; model: ModelPrices; group: number }) {
  const { t } = usePageContext()
  return (
    <tr>
      <th scope="row">{t(line.bucket === 'reasoning' ? 'pricing.reasoning' : `bill.${line.bucket}`)}</th>
      <td className="number">
        <Usd of={line.usd} />
      </td>
      {model.tiers.map(tier => (
        <td key={tier.from} className="number">
          <Usd of={lineOf(tier, line.bucket)?.usd ?? 0} />
        </td>
      ))}
      <td className="number mono ink-3">{[...line.factors, group].map(plain).join(' × ')}</td>
    </tr>
  )
}
