/** Drawer that sets the price of one model: in USD, as ratios, per call, or by the units of a task. */
import { ChoiceField } from '../../client/components/choice.tsx'
import { Drawer, Fields } from '../../client/components/drawer.tsx'
import { TextField } from '../../client/components/field.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { ratioPairs, usdPerRatio } from '../../src/billing/usd-ratios.ts'
import { Equal } from './equal.tsx'
import { FormNote, Outcome, type OutcomeProps, SimulateButton } from './save-bar.tsx'
import { pricesAction, type SettingsView, settingsAt } from './settings-view.ts'
import { TaskPriceFields } from './task-price-fields.tsx'
import { TierFields } from './tier-fields.tsx'

interface ModelDrawerProps extends OutcomeProps {
  view: SettingsView
  /** The edited model; absent for a new one. */
  name?: string
  values: Record<string, string>
  /** What applies where a field stays empty. */
  defaults: Record<string, string>
}

export function ModelDrawer({ view, name, values, defaults, errors, simulation, days }: ModelDrawerProps) {
  const { t, currency } = usePageContext()
  return (
    <Drawer
      title={name ?? t('pricing.add')}
      close={settingsAt(view)}
      action={pricesAction('models')}
      returnTo={settingsAt(view)}
      submit={t('ui.save')}
      footer={<SimulateButton days={days} />}
      values={values}
      errors={errors}
    >
      {/* Enter saves: the first button of a form is its default one. */}
      <button type="submit" hidden tabIndex={-1} />
      <FormNote errors={errors} />
      {name === undefined ? (
        <TextField
          name="name"
          label={t('pricing.model')}
          help={t('pricing.name_help')}
          mono
          required
          autoComplete="off"
          spellCheck={false}
          autoFocus={!Object.keys(errors).length}
        />
      ) : (
        <input type="hidden" name="edit" value={name} />
      )}
      <div className="group/price grid gap-4">
        <ChoiceField
          name="mode"
          label={t('pricing.kind')}
          choices={(['usd', 'ratio', 'call', 'task'] as const).map(mode => ({
            value: mode,
            label: t(`pricing.mode_${mode}`),
          }))}
        />
        <div className="hidden group-has-[[name=mode][value=call]:checked]/price:block">
          <TextField
            name="model_price"
            label={t('pricing.price_per_call')}
            unit="USD"
            number
            inputMode="decimal"
            autoComplete="off"
          />
        </div>
        <tollgate-price unit={String(usdPerRatio(currency.quota_per_unit))} class="contents">
          <Figures kind="usd" defaults={defaults} values={values} />
          <Figures kind="ratio" defaults={defaults} values={values} />
          <div className="hidden group-has-[[value=ratio]:checked]/price:block group-has-[[value=usd]:checked]/price:block">
            <TierFields values={values} />
          </div>
        </tollgate-price>
        <div className="hidden gap-4 group-has-[[name=mode][value=task]:checked]/price:grid">
          <TaskPriceFields values={values} />
        </div>
      </div>
      <Outcome simulation={simulation} />
    </Drawer>
  )
}

/** The same figures in one of their spellings; the fields of the other one follow what is typed. */
function Figures({
  kind,
  defaults,
  values,
}: Pick<ModelDrawerProps, 'defaults' | 'values'> & { kind: 'ratio' | 'usd' }) {
  const { t } = usePageContext()
  const shown =
    kind === 'ratio' ? 'group-has-[[value=ratio]:checked]/price:grid' : 'group-has-[[value=usd]:checked]/price:grid'
  return (
    <div className={`hidden ${shown}`}>
      <Fields title={t(kind === 'ratio' ? 'pricing.ratios_title' : 'pricing.per_million')}>
        <div className="grid grid-cols-2 gap-3">
          {ratioPairs.map(pair => (
            <TextField
              key={pair.ratio}
              name={pair[kind]}
              label={t(`pricing.${pair.ratio}`)}
              unit={kind === 'usd' ? '$' : '×'}
              number
              inputMode="decimal"
              autoComplete="off"
              placeholder={defaults[pair[kind]]}
              help={<Equal kind={kind} of={pair[kind === 'usd' ? 'ratio' : 'usd']} values={values} />}
            />
          ))}
        </div>
        <p className="help m-0">{t(kind === 'ratio' ? 'pricing.ratios_help' : 'pricing.usd_help')}</p>
      </Fields>
    </div>
  )
}
