/** What most channels never need: folded away until one of it is set or wrong. */
import ChevronRight from 'lucide-react/icons/chevron-right'
import { AreaField, TextField } from '../../client/parts/field.tsx'
import { Icon } from '../../client/parts/icon.tsx'
import { JsonField } from '../../client/parts/json.tsx'
import { useReader } from '../../client/parts/reader.tsx'
import { MODEL_PREFIX_MAX } from '../../src/contracts/channel.ts'
import type { ChannelTyped } from './drawer.tsx'

const names = [
  'model_mapping',
  'param_override',
  'status_code_mapping',
  'setting',
  'other',
  'openai_organization',
  'test_model',
  'tag',
  'model_prefix',
  'system_prompt',
]

export function Advanced({ typed, errors }: { typed: ChannelTyped; errors: Record<string, string | undefined> }) {
  const { t } = useReader()
  const set = names.filter(name => typed[name]).length
  return (
    <fieldset>
      <details className="group" open={names.some(name => errors[name])}>
        <summary className="flex items-center gap-2 cursor-pointer list-none [&::-webkit-details-marker]:hidden">
          <Icon of={ChevronRight} small className="ink-3 group-open:rotate-90" />
          <b className="text-sm">{t('channel.advanced')}</b>
          {set > 0 && <span className="help">{t('channel.advanced_set', { count: set })}</span>}
        </summary>
        <div className="grid gap-3.5 pt-3.5">
          <JsonField
            name="model_mapping"
            label={t('channel.model_mapping')}
            help={t('channel.model_mapping_help')}
            rows={3}
            placeholder={'{\n  "gpt-4o": "gpt-4o-2024-11-20"\n}'}
          />
          <JsonField
            name="param_override"
            label={t('channel.param_override')}
            help={t('channel.param_override_help')}
            rows={3}
            placeholder={'{\n  "temperature": 0\n}'}
          />
          <JsonField
            name="status_code_mapping"
            label={t('channel.status_code_mapping')}
            help={t('channel.status_code_mapping_help')}
            rows={3}
            placeholder={'{\n  "400": "500"\n}'}
          />
          <JsonField
            name="setting"
            label={t('channel.setting')}
            help={t('channel.setting_help')}
            rows={3}
            placeholder={'{\n  "proxy": "http://127.0.0.1:7890"\n}'}
          />
          <AreaField
            name="system_prompt"
            label={t('channel.system_prompt')}
            help={t('channel.system_prompt_help')}
            rows={3}
          />
          <div className="grid sm:grid-cols-2 gap-x-3 gap-y-3.5">
            <TextField
              name="test_model"
              label={t('channel.test_model')}
              help={t('channel.test_model_help')}
              mono
              autoComplete="off"
              spellCheck={false}
            />
            <TextField
              name="model_prefix"
              label={t('channel.model_prefix')}
              help={t('channel.model_prefix_help')}
              mono
              maxLength={MODEL_PREFIX_MAX}
              autoComplete="off"
              spellCheck={false}
            />
            <TextField name="tag" label={t('channel.tag')} help={t('channel.tag_help')} autoComplete="off" />
            <TextField
              name="openai_organization"
              label={t('channel.openai_organization')}
              help={t('channel.openai_organization_help')}
              mono
              autoComplete="off"
              spellCheck={false}
            />
            <TextField
              name="other"
              label={t('channel.other')}
              help={t('channel.other_help')}
              mono
              autoComplete="off"
              spellCheck={false}
            />
          </div>
        </div>
      </details>
    </fieldset>
  )
}
