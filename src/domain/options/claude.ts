/** Options of Claude models. */
import { z } from 'zod'
import { asRows, decimal, flag, json, section } from './declare.ts'

const Name = z.string().regex(/^[\w!#$%&'*+.^`|~-]+$/, 'option.bad_headers')
/** Header values without line breaks. */
const Value = z.string('option.bad_headers').regex(/^[\t\x20-\x7e]*$/, 'option.bad_headers')

/** Headers by model: `{ model: { header: [values] } }`. */
const Headers = z.record(
  z.string(),
  z.record(Name, z.array(Value, 'option.bad_headers'), 'option.bad_headers'),
  'option.bad_headers',
)

const MaxTokens = z.record(
  z.string(),
  z.number('option.bad_max_tokens').int('option.bad_max_tokens').positive('option.bad_max_tokens'),
  'option.bad_max_tokens',
)

export const claude = section({
  tab: 'models',
  options: {
    'claude.model_headers_settings': asRows(
      'lists',
      ['model', 'header', 'value'],
      json<Record<string, Record<string, string[]>>>({}, Headers),
    ),
    'claude.default_max_tokens': asRows('numbers', ['model', 'tokens'], json<Record<string, number>>({}, MaxTokens)),
    'claude.thinking_adapter_enabled': flag(true),
    'claude.thinking_adapter_budget_tokens_percentage': decimal(0.8, { min: 0.1, max: 1 }),
  },
})
