/**
 * What a Claude model can do, as Anthropic's model list says it. What the gateway does not serve is not supported.
 * https://platform.claude.com/docs/en/api/models/list (read 2026-11)
 */
import { traitsOf } from '../../models/traits.ts'

const is = (supported: boolean) => ({ supported })

export function claudeCapabilities(model: string) {
  const { thinking, schema, hosted } = traitsOf(model, 'anthropic')
  const efforts = thinking?.efforts ?? []
  const [web_search, code_execution] = [hosted.includes('web_search'), hosted.includes('code_execution')]
  return {
    batch: is(false),
    citations: is(true),
    code_execution: is(code_execution),
    context_management: {
      supported: schema,
      clear_thinking_20251015: is(schema),
      clear_tool_uses_20250919: is(schema),
      compact_20260112: is(efforts.length > 0),
    },
    effort: {
      supported: efforts.length > 0,
      low: is(efforts.includes('low')),
      medium: is(efforts.includes('medium')),
      high: is(efforts.includes('high')),
      xhigh: is(efforts.includes('xhigh')),
      max: is(efforts.includes('max')),
    },
    image_input: is(true),
    pdf_input: is(true),
    server_tools: {
      supported: web_search || code_execution,
      web_search: is(web_search),
      code_execution: is(code_execution),
    },
    structured_outputs: is(schema),
    thinking: {
      supported: thinking !== undefined,
      types: {
        adaptive: is(efforts.length > 0),
        between_tools: is(efforts.length > 0 && thinking?.budget === undefined),
        disabled: is(thinking?.can_stop !== false),
        enabled: is(thinking?.budget !== undefined),
      },
    },
  }
}
