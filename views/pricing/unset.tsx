/** Models that channels serve without a price, and the drawer that sets the prices of several. */

import Tag from 'lucide/dist/esm/icons/tag.mjs'
import { State } from '../../client/components/badge.tsx'
import { ChoiceField } from '../../client/components/choice.tsx'
import { Drawer } from '../../client/components/drawer.tsx'
import { Empty } from '../../client/components/empty.tsx'
import { TextField } from '../../client/components/field.tsx'
import { HiddenFields, Search } from '../../client/components/filters.tsx'
import { Icon } from '../../client/components/icon.tsx'
import { PageLink } from '../../client/components/link.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { Pager } from '../../client/components/pager.tsx'
import { SelectionBar } from '../../client/components/selection.tsx'
import { Table } from '../../client/components/table.tsx'
import { SETTINGS_PATH } from '../../src/contracts/option.ts'
import type { Listing } from '../../src/contracts/paging.ts'
import { grouped } from '../../src/pure/number.ts'
import { FormNote, Outcome, type OutcomeProps, SimulateButton } from './save-bar.tsx'
import { pricesAction, type SettingsView, settingsAt } from './settings-view.ts'

export const BATCH_MODES = ['ratio', 'price', 'both'] as const

export function UnsetModels({ list, view }: { list: Listing<string>; view: SettingsView }) {
  const { t } = usePageContext()
  if (!list.total && !view.keyword) return <Empty text={t('pricing.none_unset')} />
  return (
    <>
      <Search
        action={SETTINGS_PATH}
        value={view.keyword}
        placeholder={t('pricing.search', { count: grouped(list.total) })}
      >
        <HiddenFields of={{ tab: 'operation', area: 'prices', view: 'unset' }} />
      </Search>
      {list.total === 0 && <Empty drawing="slip" text={t('pricing.none_match')} />}
      {list.total > 0 && (
        <>
          <Table
            label={t('pricing.view_unset')}
            columns={[
              {
                id: 'name',
                head: t('pricing.model'),
                phone: 'title',
                cell: name => (
                  <PageLink href={settingsAt(view, { new: name })} title={name}>
                    {name}
                  </PageLink>
                ),
              },
              {
                id: 'state',
                head: t('pricing.price'),
                phone: 'figure',
                cell: () => <State tone="limited">{t('pricing.no_price')}</State>,
              },
            ]}
            rows={list.items}
            keyOf={name => name}
            nameOf={name => name}
            selectable
            actions={name => (
              <PageLink
                className="btn btn-sm"
                href={settingsAt(view, { new: name })}
                aria-label={t('pricing.set_price_of', { name })}
              >
                {t('pricing.set_price')}
              </PageLink>
            )}
          />
          <Pager
            page={list.page}
            size={list.page_size}
            total={list.total}
            hrefOf={page => settingsAt({ ...view, page })}
          />
          <SelectionBar action={pricesAction('unset')} returnTo={settingsAt(view)}>
            <button type="submit" name="action" value="choose">
              <Icon of={Tag} />
              <span>{t('pricing.set_prices')}</span>
            </button>
          </SelectionBar>
        </>
      )}
    </>
  )
}

interface BatchDrawerProps extends OutcomeProps {
  view: SettingsView
  names: string[]
  values: Record<string, string>
}

export function BatchDrawer({ view, names, values, errors, simulation, days }: BatchDrawerProps) {
  const { t } = usePageContext()
  return (
    <Drawer
      title={t('pricing.set_prices_of', { count: names.length })}
      close={settingsAt(view)}
      action={pricesAction('unset')}
      returnTo={settingsAt(view)}
      submit={t('ui.save')}
      footer={<SimulateButton days={days} />}
      values={values}
      errors={errors}
    >
      <FormNote errors={errors} />
      <p className="mono wrap-anywhere m-0">{names.join(', ')}</p>
      {names.map(name => (
        <input key={name} type="hidden" name="ids[]" value={name} />
      ))}
      <div className="group/batch grid gap-4">
        <ChoiceField
          name="mode"
          label={t('pricing.set')}
          choices={BATCH_MODES.map(mode => ({ value: mode, label: t(`pricing.batch_${mode}`) }))}
        />
        <div className="hidden group-has-[[value=price]:checked]/batch:block">
          <TextField name="price" label={t('pricing.price_per_call')} unit="USD" number inputMode="decimal" />
        </div>
        <div className="grid grid-cols-2 gap-3 group-has-[[value=price]:checked]/batch:hidden">
          <TextField name="ratio" label={t('pricing.batch_ratio')} unit="×" number inputMode="decimal" />
          <div className="hidden group-has-[[value=both]:checked]/batch:block">
            <TextField name="completion_ratio" label={t('pricing.completion')} unit="×" number inputMode="decimal" />
          </div>
        </div>
      </div>
      <Outcome simulation={simulation} />
    </Drawer>
  )
}
