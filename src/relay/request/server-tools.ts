/** Finds the tools that an upstream runs itself for a call. */
import { isAbsent } from '../../formats/json/checks.ts'
import { clientTools, searchingModels, serverToolFields } from '../../providers/index.ts'
import type { Json } from '../../pure/json.ts'
import type { ReadCall } from '../call.ts'
import { isHostedShell, type OfferedTool } from './offered-tools.ts'

/** Whether one may put into the prompt what the request does not show. */
export function runsTools({ body, facts, endpoint }: ReadCall, offered: readonly OfferedTool[]): boolean {
  const client = clientTools[endpoint.format.name as keyof typeof clientTools]
  if (!client) return false
  if (searchingModels.test(facts.model) || hasField(body)) return true
  const typesOf = ({ tool }: OfferedTool) => (client === clientTools.gemini ? Object.keys(tool) : [typeOf(tool)])
  return offered.some(offer =>
    typesOf(offer).some(type => !client.test(type) && (type !== 'shell' || isHostedShell(offer.tool))),
  )
}

/** Anthropic's clients may leave out the type of their own tools, OpenAI's may not. */
const typeOf = ({ type }: Json): string => (typeof type === 'string' ? type : 'custom')

function hasField(body: Json): boolean {
  const extra = body.extra_body as Json | undefined
  return serverToolFields.some(name => isOn(body[name]) || (extra && isOn(extra[name])))
}

const isOn = (value: unknown): boolean => !isAbsent(value) && value !== false && value !== '' && !isEmptyList(value)
const isEmptyList = (value: unknown) => Array.isArray(value) && !value.length
