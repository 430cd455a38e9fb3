/** Advanced channel fields: folded, open when one has an error. */
import ChevronRight from 'lucide/dist/esm/icons/chevron-right.mjs'
import Plus from 'lucide/dist/esm/icons/plus.mjs'
import type { ReactNode } from 'react'
import { CheckField } from '../../client/components/choice.tsx'
import { AreaField, TextField } from '../../client/components/field.tsx'
import { Icon } from '../../client/components/icon.tsx'
import { JsonField } from '../../client/components/json.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { MODEL_PREFIX_MAX } from '../../src/contracts/channel.ts'
import { paramFields } from '../../src/contracts/channel-json.ts'
import { limitSettings } from '../../src/contracts/channel-limits.ts'
import { Island } from '../layout/island.tsx'
import { LimitFields } from './limit-fields.tsx'
import type { ChannelFormValues } from './view.ts'

interface AdvancedProps {
  /** The form was sent and is shown again: what it sets stays in sight. */
  isShownAgain: boolean
  /** Id of the edited channel, or `new`. */
  about: string | number
  form: ChannelFormValues
  errors: Record<string, string | undefined>
  /** Whether private addresses are refused. */
  guard: ReactNode
}

const params = Object.keys(paramFields) as (keyof typeof paramFields)[]

const paramNames = params.map(name => `param_${name}` as const)
const mappings = ['model_mapping', 'status_code_mapping'] as const
const switches = [
  'stream_support',
  'force_format',
  'thinking_to_content',
  'pass_through_body',
  'cancel_on_leave',
  'allow_unknown_ids',
  'auto_cache',
] as const
const switchNames = switches.map(name => `setting_${name}` as const)

/** Text and number fields with their attributes. */
const code = { mono: true, spellCheck: false }
const texts = {
  test_model: code,
  model_prefix: { ...code, maxLength: MODEL_PREFIX_MAX },
  max_input_tokens: { inputMode: 'numeric', number: true },
  tag: {},
  openai_organization: code,
} as const
const textNames = Object.keys(texts) as (keyof typeof texts)[]

const limitNames = limitSettings.map(name => `setting_${name}` as const)

const names = [
  ...mappings,
  ...paramNames,
  'param_override',
  'setting_proxy',
  ...switchNames,
  'setting_allowed_fields',
  ...limitNames,
  'setting_model_limits',
  'setting',
  'system_prompt',
  'setting_system_prompt_override',
  ...textNames,
] as const

/** Value of a limit that is off. */
const NO_LIMIT = '0'

export function Advanced({ about, form, errors, isShownAgain, guard }: AdvancedProps) {
  const { t } = usePageContext()
  const isSet = (name: string) => Boolean(form[name] && form[name] !== NO_LIMIT)
  const opened = (...fields: string[]) => fields.some(name => isSet(name) || errors[name])
  const set = names.filter(isSet).length
  return (
    <fieldset>
      <details className="group" open={[...names, 'guarded'].some(name => errors[name]) || (isShownAgain && set > 0)}>
        <summary className="flex items-center gap-2 cursor-pointer list-none [&::-webkit-details-marker]:hidden">
          <Icon of={ChevronRight} small className="ink-3 group-open:rotate-90" />
          <b className="text-sm">{t('channel.advanced')}</b>
          {set > 0 && <span className="help">{t('channel.advanced_set', { count: set })}</span>}
        </summary>
        <div className="grid gap-3.5 pt-3.5">
          {mappings.map(name => (
            <Added key={name} title={t(`mapping.${name}`)} open={opened(name)}>
              <Island
                name="channel-mapping"
                about={`${name}-${about}`}
                {...{ value: form[name] ?? '', error: errors[name] }}
                of={name}
              />
            </Added>
          ))}
          <Added group title={t('drawer.params')} open={opened(...paramNames, 'param_override')}>
            <Parameters open={opened('param_override')} />
          </Added>
          <Added
            group
            title={t('drawer.upstream')}
            open={opened('setting_proxy', ...switchNames, 'setting_allowed_fields', 'setting')}
          >
            <Upstream open={opened('setting')} />
          </Added>
          <Added group title={t('drawer.limits')} open={opened(...limitNames, 'setting_model_limits')}>
            <LimitFields />
          </Added>
          <Added title={t('channel.system_prompt')} open={opened('system_prompt', 'setting_system_prompt_override')}>
            <AreaField
              name="system_prompt"
              label={t('channel.system_prompt')}
              help={t('channel.system_prompt_help')}
              rows={3}
            />
            <CheckField name="setting_system_prompt_override" value="1" label={t('drawer.system_prompt_override')} />
          </Added>
          <div className="grid sm:grid-cols-2 gap-x-3 gap-y-3.5">
            {textNames.map(name => (
              <TextField
                key={name}
                name={name}
                label={t(`channel.${name}`)}
                help={t(`channel.${name}_help`)}
                {...texts[name]}
                autoComplete="off"
              />
            ))}
          </div>
          {guard}
        </div>
      </details>
    </fieldset>
  )
}

/** Fields behind “+ Add” until one of them is set. A group of fields has its title as a heading. */
function Added({ title, open, group, children }: { title: string; open: boolean; group?: true; children: ReactNode }) {
  const fields = (
    <div className="grid gap-2.5">
      {group && <b className="text-sm">{title}</b>}
      {children}
    </div>
  )
  if (open) return fields
  return (
    <details className="added">
      <summary>
        <Icon of={Plus} small />
        {title}
      </summary>
      {fields}
    </details>
  )
}

/** The usual parameters, and the JSON of all others. */
function Parameters({ open }: { open: boolean }) {
  const { t } = usePageContext()
  return (
    <>
      <p className="help m-0">{t('channel.param_override_help')}</p>
      <div className="grid grid-cols-2 sm:grid-cols-3 gap-3">
        {params.map(name => (
          <TextField
            key={name}
            name={`param_${name}`}
            label={<code>{name}</code>}
            inputMode="decimal"
            number
            placeholder={t('drawer.param_unset')}
            autoComplete="off"
          />
        ))}
      </div>
      <Added title={t('drawer.param_others')} open={open}>
        <JsonField name="param_override" label={t('drawer.param_others')} help={t('drawer.json_wins')} rows={3} />
      </Added>
    </>
  )
}

/** How the gateway speaks to the upstream, and the JSON of settings that it does not know. */
function Upstream({ open }: { open: boolean }) {
  const { t } = usePageContext()
  return (
    <>
      <TextField
        name="setting_proxy"
        label={t('drawer.proxy')}
        help={t('drawer.proxy_help')}
        {...code}
        inputMode="url"
        placeholder="socks5://127.0.0.1:1080"
        autoComplete="off"
      />
      {switches.map(name => (
        <CheckField
          key={name}
          name={`setting_${name}`}
          value="1"
          label={t(`drawer.${name}`)}
          help={t(`drawer.${name}_help`)}
        />
      ))}
      <TextField
        name="setting_allowed_fields"
        label={t('drawer.allowed_fields')}
        help={t('drawer.allowed_fields_help')}
        {...code}
        placeholder="models, service_tier"
        autoComplete="off"
      />
      <Added title={t('drawer.setting_others')} open={open}>
        <JsonField name="setting" label={t('drawer.setting_others')} help={t('drawer.json_wins')} rows={3} />
      </Added>
    </>
  )
}
