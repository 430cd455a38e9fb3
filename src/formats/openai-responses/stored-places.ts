/**
 * Where requests name what OpenAI stores, and where responses do.
 * https://platform.openai.com/docs/api-reference/responses/create (read 2026-11)
 */
import type { Json } from '../../pure/json.ts'
import { isObject } from '../json/checks.ts'
import { objectOf, objectsOf, textOf } from '../json/lenient-json.ts'
import { type MadeObject, type StoredPlace, type StoredUse, storedPlaces } from '../stored-places.ts'

export const openAiPlaces: readonly StoredPlace[] = [
  { kind: 'response', at: 'previous_response_id' },
  { kind: 'response', at: 'previous_response_id.id' },
  // https://developers.openai.com/api/docs/guides/prompt-caching (read 2026-11): also of one that is not kept
  { kind: 'response', at: 'prompt_cache_options.comparison_response_id', use: () => 'echo' },
  { kind: 'conversation', at: 'conversation' },
  { kind: 'conversation', at: 'conversation.id' },
  { kind: 'prompt', at: 'prompt' },
  { kind: 'prompt', at: 'prompt.id' },
  { kind: 'file', at: 'prompt.variables.*.file_id' },
  { kind: 'item', at: 'input.id', use: useOfItem },
  { kind: 'file', at: 'input.content.file_id' },
  { kind: 'file', at: 'input.output.file_id' },
  // A container that the context names is used again.
  // https://developers.openai.com/api/docs/guides/tools-code-interpreter (read 2026-11)
  { kind: 'container', at: 'input.container_id', use: () => 'optional' },
  { kind: 'container', at: 'input.environment.container_id', use: () => 'optional' },
  { kind: 'container', at: 'tools.container' },
  { kind: 'file', at: 'tools.container.file_ids[]' },
  { kind: 'skill', at: 'tools.container.skills.skill_id', use: useOfSkill },
  { kind: 'container', at: 'tools.environment.container_id' },
  { kind: 'file', at: 'tools.environment.file_ids[]' },
  { kind: 'skill', at: 'tools.environment.skills.skill_id', use: useOfSkill },
  { kind: 'file', at: 'tools.input_image_mask.file_id' },
  { kind: 'vector_store', at: 'tools.vector_store_ids[]' },
  { kind: 'tunnel', at: 'tools.tunnel_id' },
]

export const storedIn = storedPlaces(openAiPlaces, {
  // Namespaces and items hold tools too.
  same: { extra_body: '', 'tools.tools': 'tools', 'input.tools': 'tools' },
})

/** Servers that store nothing number the items of each response. */
const ID_LENGTH_MIN = 20

/** Items whose content stands in the request, whatever their id. */
const isWhole = /^(?:function_call|custom_tool_call|(?:context_)?compaction)$|_output$/

function useOfItem(id: string, item: Json): StoredUse | undefined {
  const { type } = item
  if (type === 'item_reference') return 'needed'
  if (isNone(type) || type === 'message') return isNone(item.content) ? 'needed' : undefined
  if (id.length < ID_LENGTH_MIN || isWhole.test(textOf(type))) return undefined
  if (type === 'reasoning' && item.encrypted_content) return undefined
  if (type === 'reasoning') return isNone(item.content) ? 'optional' : 'echo'
  // https://developers.openai.com/api/docs/guides/image-generation (read 2026-11): the id stands for the image
  if (type === 'image_generation_call') return item.result ? 'echo' : 'needed'
  return 'echo'
}

const isNone = (value: unknown) => value === undefined || value === null || [value].flat().every(part => part === '')

/** OpenAI's own skills have names. https://developers.openai.com/api/docs/guides/tools-skills (read 2026-11) */
function useOfSkill(id: string): StoredUse | undefined {
  return id.startsWith('openai-') ? undefined : 'needed'
}

/** @param output items of a response. @param is_stored whether they are kept by their ids */
export function madeIn(output: readonly Json[], is_stored: boolean): MadeObject[] {
  const made: MadeObject[] = []
  const add = (kind: MadeObject['kind'], id: unknown, rest?: Pick<MadeObject, 'has_result'>) => {
    if (typeof id === 'string' && id) made.push({ kind, id, ...rest })
  }
  for (const item of output) {
    if (is_stored && textOf(item.id).length >= ID_LENGTH_MIN)
      add('item', item.id, isHosted(item) ? { has_result: true } : undefined)
    add('container', item.container_id)
    if (isObject(item.environment)) add('container', item.environment.container_id)
    if (item.type === 'message') for (const cited of filesIn(item)) add('file', cited.file_id)
  }
  return made
}

/** Calls of tools that the upstream runs. */
const isHosted = ({ type }: Json): boolean => /_call$/.test(textOf(type)) && !isWhole.test(textOf(type))

/** Files that code in a container has written. */
const filesIn = (message: Json): Json[] =>
  objectsOf(message.content)
    .flatMap(part => objectsOf(objectOf(part).annotations))
    .filter(({ type }) => type === 'container_file_citation')
