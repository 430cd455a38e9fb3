/** A channel as text in the fields of its drawer, and back. Fields have the wire's names. */
import { z } from 'zod'
import { endsInVersion } from '../../contracts/base-url.ts'
import { DEFAULT_GROUP } from '../../contracts/pricing.ts'
import { type Channel, providerChoices } from '../../domain/channels/index.ts'
import { text } from '../../web/forms.ts'

export const ChannelForm = z.object({
  name: text,
  type: text,
  key: text,
  base_url: text,
  /** The base URL that is stored, or that the user has confirmed: it is not questioned again. */
  base_url_kept: text,
  /** JSON of the values that the drawer was filled with: unchanged fields are left out of an edit. */
  was: text,
  models: text,
  group: z
    .array(z.string())
    .default([])
    .transform(names => names.join(',')),
  priority: text,
  weight: text,
  auto_ban: text,
  guarded: text,
  model_mapping: text,
  param_override: text,
  status_code_mapping: text,
  setting: text,
  other: text,
  openai_organization: text,
  test_model: text,
  tag: text,
  model_prefix: text,
  max_input_tokens: text,
  system_prompt: text,
  /** Tells the form of a new channel from every other that was drawn. */
  form_id: text,
})
export type ChannelForm = z.output<typeof ChannelForm>

/** What the drawer of a new channel starts from. */
export const newForm: ChannelForm = {
  ...ChannelForm.parse({}),
  type: '1',
  group: DEFAULT_GROUP,
  priority: '0',
  weight: '0',
  max_input_tokens: '0',
  auto_ban: '1',
}

/** Field values for an existing channel, without its key. */
export function formOf(channel: Channel): ChannelForm {
  const fields = Object.keys(newForm).map(name => [name, String(channel[name as keyof Channel] ?? '')])
  const filled = { ...Object.fromEntries(fields), key: '' }
  const guarded = channel.guarded ? '1' : ''
  return { ...filled, guarded, base_url_kept: channel.base_url, was: JSON.stringify(filled) }
}

/** The form as the API's contracts read it: an unticked box is 0, or false. */
export const fieldsOf = ({
  base_url_kept,
  was,
  form_id,
  auto_ban,
  guarded,
  max_input_tokens,
  ...fields
}: ChannelForm) => ({
  ...fields,
  guarded: guarded !== '',
  max_input_tokens: max_input_tokens || '0',
  auto_ban: auto_ban ? 1 : 0,
})

/** Fields that differ from those the drawer opened with: another administrator may have changed the rest since. */
export function changesOf(form: ChannelForm) {
  const was = objectIn(form.was)
  const isChanged = ([name, value]: [string, unknown]) => String(value).replaceAll('\r\n', '\n') !== was[name]
  return Object.fromEntries(Object.entries(fieldsOf(form)).filter(isChanged))
}

function objectIn(text: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(text))
  } catch {
    return {}
  }
}

/** Whether the operator has to confirm the base URL: the gateway adds `/v1` itself, unless the type takes whole URLs. */
export function isOddAddress({ type, base_url, base_url_kept }: ChannelForm): boolean {
  const isVerbatim = providerChoices().some(provider => String(provider.type) === type && provider.verbatim_url)
  return !isVerbatim && endsInVersion(base_url.trim()) && base_url !== base_url_kept
}
