/**
 * Where requests name what Anthropic stores, and where messages do.
 * https://platform.claude.com/docs/en/api/messages and
 * https://platform.claude.com/docs/en/agents-and-tools/tool-use/code-execution-tool (read 2026-11)
 */
import type { Json } from '../../pure/json.ts'
import { objectOf, objectsOf, textOf } from '../json/lenient-json.ts'
import { type MadeObject, type StoredPlace, storedPlaces } from '../stored-places.ts'

export const anthropicPlaces: readonly StoredPlace[] = [
  { kind: 'thread', at: 'thread.previous_message_id' },
  // Also of a message that is not kept.
  { kind: 'thread', at: 'diagnostics.previous_message_id', use: () => 'echo' },
  { kind: 'container', at: 'container' },
  { kind: 'container', at: 'container.id' },
  // Anthropic's own skills have names.
  {
    kind: 'skill',
    at: 'container.skills.skill_id',
    use: (_, { type }) => (type === 'anthropic' ? undefined : 'needed'),
  },
  { kind: 'file', at: 'messages.content.source.file_id' },
  // Results of code name files too, which are not read again.
  {
    kind: 'file',
    at: 'messages.content.file_id',
    use: (_, { type }) => (type === 'container_upload' ? 'needed' : undefined),
  },
]

export const storedIn = storedPlaces(anthropicPlaces, {
  // Blocks stand in results of tools, and in documents.
  same: {
    extra_body: '',
    'messages.content.content': 'messages.content',
    'messages.content.source.content': 'messages.content',
  },
})

/** @param container of a message. @param blocks of its content */
export function madeIn(container: unknown, blocks: readonly Json[]): MadeObject[] {
  const id = textOf(objectOf(container).id)
  const files = blocks.filter(isCodeResult).flatMap(({ content }) => objectsOf(objectOf(content).content))
  return [
    ...(id ? [{ kind: 'container', id } as const] : []),
    ...files.flatMap(({ file_id }) => (typeof file_id === 'string' ? [{ kind: 'file', id: file_id } as const] : [])),
  ]
}

/** What code has printed and written, also of a shell. */
export const isCodeResult = ({ type }: Json): boolean => textOf(type).endsWith('code_execution_tool_result')
